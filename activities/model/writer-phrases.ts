import type { Language } from './rule-book.ts'

// What the embedded writer says by itself, in the languages a rule may ask for. Goals, products and materials stay as they are.

type Phrases = Record<
  | 'hello'
  | 'there'
  | 'regards'
  | 'question'
  | 'word'
  | 'behalf'
  | 'goal'
  | 'interest'
  | 'talk'
  | 'back'
  | 'last'
  | 'also'
  | 'reminder'
  | 'wonder'
  | 'followUp',
  string
>

export const phrases: Record<Language, Phrases> = {
  en: {
    hello: 'Hello',
    there: 'there',
    regards: 'Kind regards',
    question: 'a question',
    word: 'A word from',
    behalf: 'I write on behalf of',
    goal: 'What I have in mind:',
    interest: 'Would that be of interest to you?',
    talk: 'Would a short talk be of interest to you?',
    back: 'I wanted to come back to my letter of the other day.',
    last: 'This is my last word on the matter; I do not want to crowd your inbox.',
    also: 'Let me also mention',
    reminder: 'A short reminder:',
    wonder: 'I would like to ask',
    followUp: 'I wanted to come back to our conversation. Is there anything you need from us?',
  },
  de: {
    hello: 'Guten Tag',
    there: '',
    regards: 'Mit freundlichen Grüßen',
    question: 'eine Frage',
    word: 'Eine Nachricht von',
    behalf: 'Ich schreibe für',
    goal: 'Worum es mir geht:',
    interest: 'Ist das für Sie von Interesse?',
    talk: 'Wäre ein kurzes Gespräch für Sie von Interesse?',
    back: 'Ich komme auf mein Schreiben von neulich zurück.',
    last: 'Das ist mein letztes Wort dazu; ich möchte Ihr Postfach nicht füllen.',
    also: 'Erwähnen möchte ich noch:',
    reminder: 'Eine kurze Erinnerung:',
    wonder: 'Ich möchte fragen,',
    followUp: 'Ich komme auf unser Gespräch zurück. Brauchen Sie noch etwas von uns?',
  },
  es: {
    hello: 'Hola',
    there: '',
    regards: 'Un cordial saludo',
    question: 'una pregunta',
    word: 'Unas palabras de',
    behalf: 'Escribo en nombre de',
    goal: 'Lo que propongo:',
    interest: '¿Sería de su interés?',
    talk: '¿Le interesaría una breve conversación?',
    back: 'Quería retomar mi carta del otro día.',
    last: 'Es mi última palabra al respecto; no quiero llenar su buzón.',
    also: 'Quisiera mencionar también:',
    reminder: 'Un breve recordatorio:',
    wonder: 'Quisiera preguntar',
    followUp: 'Quería retomar nuestra conversación. ¿Necesita algo de nosotros?',
  },
  fr: {
    hello: 'Bonjour',
    there: '',
    regards: 'Cordialement',
    question: 'une question',
    word: 'Un mot de',
    behalf: "J'écris au nom de",
    goal: 'Ce que je propose :',
    interest: 'Cela vous intéresserait-il ?',
    talk: 'Un court entretien vous intéresserait-il ?',
    back: "Je reviens sur ma lettre de l'autre jour.",
    last: 'C’est mon dernier mot à ce sujet ; je ne veux pas encombrer votre boîte.',
    also: 'Je voudrais aussi mentionner :',
    reminder: 'Un petit rappel :',
    wonder: 'Je voudrais demander',
    followUp:
      'Je reviens sur notre conversation. Avez-vous besoin de quelque chose de notre part ?',
  },
}
