import { plainHeading, spacedOut } from './plain-heading.ts'

// Columns with addresses of somebody else than the person of the row: the colleague who owns the contact, an assistant, a
// switchboard. Everybody in a file may have the same one, so it would make one card of all of them.

const others = [
  'owner|owned|manager|assistant|asst|rep|reps|representative|salesperson|executive|agent|created by|added by|imported by|modified by|updated by',
  'assigned|assignee|assigned to|referr\\p{L}*|reports to|parent|spouse|partner|sender|sent by|from|consultant|recruiter|advisor|coach',
  'csm|sdr|bdr|ae|emergency|our|fax|switchboard|reception|headquarters|hq|callback|pager|telex|sekretariat|zentrale|notfall',
  'betreuer\\p{L}*|besitzer\\p{L}*|inhaber\\p{L}*|zustandig\\p{L}*|bearbeiter\\p{L}*|verantwortlich\\p{L}*|vertriebler|vertreter|berater\\p{L}*|kundenbetreuer\\p{L}*',
  'erstellt von|geandert von|angelegt von|zugewiesen|assistent\\p{L}*|vorgesetzt\\p{L}*|eigentumer\\p{L}*|vermittler|werber',
  'proprietaire|responsable|gestionnaire|commercial|cree par|assigne a|conseiller|assistante?|superviseur',
  'propietario|creado por|modificado por|asignado|asistente|gerente|comercial|vendedor|asesor|jefe',
  'proprietario|responsavel|criado por|atribuido|gestor|responsabile|titolare|creato da|assegnato|venditore|assistente|commerciale',
  'eigenaar|verantwoordelijke|aangemaakt door|toegewezen|accountmanager|wlasciciel|opiekun|handlowiec|utworzone przez|przypisany',
  'agare|ansvarig|saljare|ejer|ansvarlig|eier|saelger|vlastnik|spravce|obchodnik|sahibi|temsilci|sorumlu',
  'владелец|ответственныи|менеджер|создал|помощник|власник|tulajdonos\\p{L}*|felelos\\p{L}*|omistaja|vastuuhenkilo|responsabil|відповідальнии',
].join('|')
const ofOthers = new RegExp(`(?<![\\p{L}\\p{N}])(?:${others})(?![\\p{L}\\p{N}])`, 'u')
const unspaced = /负责人|所有者|所有人|担当者|責任者|创建人|上司|经理|传真/u

/** Whether a heading names somebody else than the person of its row. */
export function isOfOthers(heading: string): boolean {
  const short = heading.slice(0, 200)
  return [plainHeading(short), plainHeading(spacedOut(short))].some(
    (form) => ofOthers.test(form) || unspaced.test(form),
  )
}
