import { hasOne, listed, oneLine } from '../phrases.ts'
import { addressesIn } from './addresses.ts'
import { asks, speaksAsFirm, speaksAsPerson } from './people.ts'

// What programs tell in lines of a name and a value: filters what they did with a mail, fax services how a fax went, abuse desks
// what was reported to them.

const opening = 4_000
const fewest = 3

const actions =
  listed(`action | disposition | verdict | aktion | maßnahme | acción | accion | azione | ação | actie | akcja | działanie
  действие | åtgärd | handling | 処理 | 対応 | アクション | 处理 | 處理 | 操作 | 처리 | 조치`)
const removals =
  listed(`delet | block | quarant | reject | discard | dropped | drop message | isolated | refused | refusé | not delivered
  gelöscht | löschen | blockiert | abgewiesen | abgelehnt | zurückgewiesen | verworfen | supprimé | supprimer | bloqu
  rejet | eliminad | eliminar | borrad | rechaz | cuarentena | rejeit | excluíd | eliminat | cancellat | respint | bloccat
  verwijderd | geblokkeerd | geweigerd | usunięt | zablokow | odrzuc | kwarantann | удален | заблокир | отклонен | карантин
  raderat | blockerat | 削除 | 隔離 | 拒否 | ブロック | 破棄 | 删除 | 刪除 | 隔离 | 拒绝 | 拦截 | 攔截 | 삭제 | 격리 | 차단 | 거부`)
const senders =
  listed(`sender | from | source | absender | von | expéditeur | de | remitente | origen | mittente | remetente | afzender
  van | nadawca | od | отправитель | от | avsändare | 送信者 | 差出人 | 发件人 | 寄件者 | 보낸`)
const notices =
  listed(`filter | virus | violation | verstoß | verletzung | quarant | karantän | cuarentena | block | blocc | bloqu
  geblokkeerd | zablokow | заблок | notification | benachrichtigung | alert | policy | richtlinie | polic | polít | content
  inhalt | contenu | security | sicherheit | scan | reject | rejet | rechaz | delet | gelöscht | supprim | warning | warnung
  spam | malware | attachment | фильтр | вирус | フィルタ | ウイルス | 検知 | 隔離 | 拦截 | 病毒 | 차단`)

/**
 * Whether a program says in such lines that it has deleted or blocked a mail from one of the given addresses. A person who
 * looks for a mail may copy such lines, and then says something about it.
 */
export function isFilterForm(
  { subject, said, isOwn }: { subject: string; said: string; isOwn: boolean },
  ours: string[],
): boolean {
  const fields = fieldsIn(said)
  const acts = fields.some(({ label, value }) => isOne(label, actions) && hasOne(value, removals))
  if (!acts) return false
  const own = new Set(ours.map((one) => one.toLowerCase()))
  const isOurs = fields.some(
    ({ label, value }) => isOne(label, senders) && addressesIn(value).some((one) => own.has(one)),
  )
  if (!isOurs || fields.length < fewest) return false
  const title = oneLine(subject.slice(0, 300))
  const isNotice = hasOne(title, notices) && !speaksAsFirm(said.slice(0, opening)) && !asks(said)
  return (isOwn || isNotice) && !speaksAsPerson(said)
}

const fax =
  /(?<!\p{L})(?:e-?|tele)?fax|facsimile|télécopie|\bfaks|факс|ファックス|ファクス|传真|傳真|팩스/iu
const ofFax =
  listed(`pages | page count | number of pages | seiten | páginas | paginas | pagine | pagina | strony | страниц | ページ | 页数
  fax number | recipient fax | number | faxnummer | numéro de fax | número de fax | numero di fax | numero fax | numer faksu | номер факса
  error | fehler | erreur | errore | erro | błąd | ошибка | result | ergebnis | résultat | resultado | risultato | wynik
  status | statut | estado | stato | duration | dauer | durée | duración | durata | attempts | versuche | tentatives
  intentos | tentativi | remote id | csid | tsid | kennung | job | transmission | date sent | time | zeit | uhrzeit | heure`)

const numbers =
  /fax|number|nummer|numéro|número|numero|номер|番号|号码|번호|recipient|destinat|empfänger/u

/** Whether a service says how a fax went, and to which number. People have the number of their own in their signature. */
export function isFaxReport(subject: string, text: string): boolean {
  if (!fax.test(subject.slice(0, 200))) return false
  const fields = fieldsIn(text)
  const told = fields.filter(({ label }) => isOne(label, ofFax)).length
  const goesTo = fields.some(
    ({ label, value }) => numbers.test(label) && value.replaceAll(/\D/g, '').length >= 3,
  )
  if (told < fewest || !goesTo) return false
  return !asks(text) && !speaksAsPerson(text, { greeted: false })
}

const ip = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/

/** Whether an abuse desk reports in such lines what came from an address of the internet. */
export function isFormOfAbuse(text: string): boolean {
  const fields = fieldsIn(text)
  return (
    fields.length >= fewest &&
    fields.some(
      ({ label, value }) => /(?<![a-z])ip(?![a-z])|source|quell/u.test(label) && ip.test(value),
    )
  )
}

// Lines of a name and a value, as programs write them.

const maxLines = 80
const longestLabel = 40
const longestValue = 200

type Field = { label: string; value: string }

/** Whether a label begins with one of the given; a short one has to be it. */
export const isOne = (label: string, all: string[]): boolean =>
  all.some(
    (one) => label === one || ((one.length > 3 || !/^[a-z]/.test(one)) && label.startsWith(one)),
  )

/** The lines of a text that have a name and a value, between them a colon or an equals sign. */
export function fieldsIn(text: string): Field[] {
  return text
    .slice(0, opening)
    .split('\n', maxLines)
    .flatMap((line) => {
      const at = line.search(/[:=：]/)
      if (at < 1 || at > longestLabel) return []
      const label = oneLine(line.slice(0, at))
        .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
        .trim()
      const value = oneLine(line.slice(at + 1, at + 1 + longestValue)).trim()
      return label === '' || value === '' ? [] : [{ label, value }]
    })
}
