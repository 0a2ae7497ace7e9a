import type { Language } from './language.ts'

// Our own phrases in letters, in the languages in which letters are written. Products and materials are quoted as they are.

type Phrases = Record<
  | 'hello'
  | 'there'
  | 'regards'
  | 'question'
  | 'word'
  | 'behalf'
  | 'talk'
  | 'demo'
  | 'trial'
  | 'back'
  | 'last'
  | 'also'
  | 'reminder'
  | 'wonder'
  | 'unsubscribe',
  string
> & {
  /** Names what is offered and, if known, says what it is. */
  introduce(name: string, what?: string): string
}

export const phrases: Record<Language, Phrases> = {
  en: {
    hello: 'Hello',
    there: 'there',
    regards: 'Kind regards,',
    question: 'a question',
    word: 'A word from',
    behalf: 'I am writing to you on behalf of',
    introduce: (name, what) => `Let me introduce ${name}${what ? `: ${what}` : ''}`,
    talk: 'Would a short talk be of interest to you?',
    demo: 'May I show you more in a short demo?',
    trial: 'Would you like to try it?',
    back: 'I would like to come back to my letter of the other day.',
    last: 'This is my last letter on the matter; I do not want to crowd your inbox.',
    also: 'Let me also mention',
    reminder: 'A short reminder:',
    wonder: 'I would like to ask',
    unsubscribe: 'No more of these letters:',
  },
  de: {
    hello: 'Guten Tag',
    there: '',
    regards: 'Mit freundlichen Grüßen',
    question: 'eine Frage',
    word: 'Eine Nachricht von',
    behalf: 'Ich schreibe Ihnen im Namen von',
    introduce: (name, what) => `Ich möchte Ihnen ${name} vorstellen${what ? `: ${what}` : ''}`,
    talk: 'Wäre ein kurzes Gespräch für Sie von Interesse?',
    demo: 'Darf ich Ihnen in einer kurzen Demo mehr zeigen?',
    trial: 'Möchten Sie es ausprobieren?',
    back: 'Ich komme auf mein Schreiben von neulich zurück.',
    last: 'Das ist mein letztes Schreiben dazu; ich möchte Ihr Postfach nicht füllen.',
    also: 'Erwähnen möchte ich noch:',
    reminder: 'Eine kurze Erinnerung:',
    wonder: 'Ich möchte fragen:',
    unsubscribe: 'Keine weiteren Schreiben dieser Art:',
  },
  es: {
    hello: 'Hola',
    there: '',
    regards: 'Un cordial saludo,',
    question: 'una pregunta',
    word: 'Unas palabras de',
    behalf: 'Le escribo en nombre de',
    introduce: (name, what) => `Me gustaría presentarle ${name}${what ? `: ${what}` : ''}`,
    talk: '¿Le interesaría una breve conversación?',
    demo: '¿Puedo mostrarle más en una breve demostración?',
    trial: '¿Le gustaría probarlo?',
    back: 'Retomo mi carta del otro día.',
    last: 'Esta es mi última carta al respecto; no quiero llenar su buzón.',
    also: 'Quisiera mencionar también:',
    reminder: 'Un breve recordatorio:',
    wonder: 'Quisiera preguntarle:',
    unsubscribe: 'No recibir más cartas como esta:',
  },
  fr: {
    hello: 'Bonjour',
    there: '',
    regards: 'Cordialement,',
    question: 'une question',
    word: 'Un mot de',
    behalf: 'Je vous écris au nom de',
    introduce: (name, what) => `J’aimerais vous présenter ${name}${what ? ` : ${what}` : ''}`,
    talk: 'Un court entretien vous intéresserait-il ?',
    demo: 'Puis-je vous en montrer plus lors d’une courte démonstration ?',
    trial: 'Aimeriez-vous l’essayer ?',
    back: 'Je reviens sur ma lettre de l’autre jour.',
    last: 'C’est ma dernière lettre à ce sujet ; je ne veux pas encombrer votre boîte.',
    also: 'Je voudrais aussi mentionner :',
    reminder: 'Un petit rappel :',
    wonder: 'Je voudrais vous demander :',
    unsubscribe: 'Ne plus recevoir de lettres de ce genre :',
  },
}
