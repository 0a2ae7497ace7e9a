import type { Language } from '../../db/campaigns/tables.ts'

// The texts of the unsubscribe page, in the languages in which letters are written.

export type Said = Record<
  'title' | 'question' | 'stays' | 'button' | 'done' | 'stopped' | 'unknown' | 'cut',
  string
>

export const unsubscribeWords: Record<Language, Said> = {
  en: {
    title: 'Letters',
    question: 'Unsubscribe from these letters?',
    stays:
      'You will receive no more letters from our campaigns. Replies to your own messages will still reach you.',
    button: 'Unsubscribe',
    done: 'Done',
    stopped: 'You will receive no more letters from our campaigns.',
    unknown: 'This link is not valid',
    cut: 'Your mail program may have cut it short.',
  },
  de: {
    title: 'Schreiben',
    question: 'Keine weiteren Schreiben dieser Art?',
    stays:
      'Sie erhalten dann keine weiteren Schreiben unserer Kampagnen. Antworten auf das, was Sie uns schreiben, erreichen Sie weiterhin.',
    button: 'Keine Schreiben mehr',
    done: 'Erledigt',
    stopped: 'Sie erhalten keine weiteren Schreiben unserer Kampagnen.',
    unknown: 'Dieser Link ist ungültig',
    cut: 'Vielleicht hat Ihr Mailprogramm ihn gekürzt.',
  },
  es: {
    title: 'Cartas',
    question: '¿No desea recibir más cartas como esta?',
    stays:
      'No recibirá más cartas de nuestras campañas. Las respuestas a lo que nos escriba le seguirán llegando.',
    button: 'No recibir más cartas',
    done: 'Hecho',
    stopped: 'No recibirá más cartas de nuestras campañas.',
    unknown: 'Este enlace no es válido',
    cut: 'Es posible que su programa de correo lo haya cortado.',
  },
  fr: {
    title: 'Lettres',
    question: 'Ne plus recevoir de lettres de ce genre ?',
    stays:
      'Vous ne recevrez plus de lettres de nos campagnes. Les réponses à ce que vous nous écrivez vous parviendront toujours.',
    button: 'Ne plus recevoir de lettres',
    done: 'C’est fait',
    stopped: 'Vous ne recevrez plus de lettres de nos campagnes.',
    unknown: 'Ce lien n’est pas valide',
    cut: 'Votre messagerie l’a peut-être coupé.',
  },
}
