/** What people say in nine languages, as they answer and as they are away. */
export type Words = {
  language: string
  /** The prefix of answers in this language's programs. */
  re: string
  yes: string
  no: string
  /** How a program introduces what it quotes. */
  wrote: (who: string) => string
  /** Subjects that look like an absence, and are not. */
  odd: string[]
  /** Subjects of programs. */
  automatic: string[]
  /** An absence until 5 December 2026, which is a Saturday. */
  away: string[]
  /** One without a day. */
  gone: string
}

export const words: Words[] = [
  {
    language: 'en',
    re: 'Re',
    yes: 'Thank you, please call me on Thursday at ten.\n\nKind regards\nKim Lee',
    no: 'Thanks, but we will not build this year. I am out of the office a lot, so please write to my colleague next spring.',
    wrote: (who) => `On Mon, 23 Nov 2026 at 10:12, ${who} wrote:`,
    odd: [
      'Absence of budget this year',
      'Out of office furniture',
      'Vacation rental with a cold room',
      'Automatic reply handling in your product',
      'Away game catering',
      'On leave of the board',
    ],
    automatic: [
      'Automatic reply: A cold room',
      'Out of Office: A cold room',
      'Out of Office AutoReply: A cold room',
      'Auto-Reply: A cold room',
      'Out of office until 5 December',
    ],
    away: [
      'I am out of the office until 5 December 2026.',
      'I am on annual leave from 20 November to 5 December 2026 and will answer afterwards.',
      'Thank you for your message. I will be back in the office on 5 December.',
    ],
    gone: 'I am on leave and do not read my mail.',
  },
  {
    language: 'de',
    re: 'AW',
    yes: 'Danke, rufen Sie mich gern am Donnerstag um zehn an.\n\nViele Grüße\nJürgen Meyer',
    no: 'Danke, aber dieses Jahr bauen wir nicht. Ich bin viel im Urlaub, schreiben Sie bitte im Frühjahr meiner Kollegin.',
    wrote: (who) => `Am 23.11.2026 um 10:12 schrieb ${who}:`,
    odd: [
      'Abwesenheit eines Budgets',
      'Urlaub im Allgäu und Ihr Kühlraum',
      'Nicht im Büroplan vorgesehen',
      'Automatische Antworten in Ihrem Produkt',
    ],
    automatic: [
      'Automatische Antwort: Kühlraum',
      'Abwesenheitsnotiz: Kühlraum',
      'Abwesend: Kühlraum',
      'Abwesenheitsnachricht',
    ],
    away: [
      'Ich bin bis zum 5. Dezember 2026 nicht im Büro.',
      'Ich bin vom 20.11.2026 bis 05.12.2026 im Urlaub.',
      'Ich bin derzeit abwesend und ab dem 05.12.2026 wieder erreichbar.',
    ],
    gone: 'Ich bin zurzeit nicht erreichbar und lese keine Mails; ich bin abwesend.',
  },
  {
    language: 'fr',
    re: 'RE',
    yes: 'Merci, appelez-moi jeudi à dix heures.\n\nCordialement\nÉlodie Marchand',
    no: 'Merci, mais nous ne construisons pas cette année. Je suis souvent en déplacement, écrivez à ma collègue.',
    wrote: (who) => `Le lun. 23 nov. 2026 à 10:12, ${who} a écrit :`,
    odd: [
      'Absence de budget cette année',
      'Congés payés et chambre froide',
      'Vacances scolaires',
      'Absence de réponse de votre part',
    ],
    automatic: [
      'Réponse automatique : Chambre froide',
      'Réponse automatique: Chambre froide',
      "Message d'absence : Chambre froide",
      'Absence du bureau',
    ],
    away: [
      "Je suis absent du bureau jusqu'au 5 décembre 2026.",
      'Je suis en congé du 20 novembre au 5 décembre 2026.',
      'Actuellement absente, je serai de retour le 5 décembre 2026.',
    ],
    gone: 'Je suis absent et ne lis pas mes messages.',
  },
  {
    language: 'es',
    re: 'RV',
    yes: 'Gracias, llámeme el jueves a las diez.\n\nUn saludo\nSofía Peña',
    no: 'Gracias, pero este año no construimos. Viajo mucho; escriba a mi compañera en primavera.',
    wrote: (who) => `El lun, 23 nov 2026 a las 10:12, ${who} escribió:`,
    odd: [
      'Ausencia de presupuesto este año',
      'Vacaciones y cámara frigorífica',
      'Fuera de la oficina técnica no decidimos',
    ],
    automatic: [
      'Respuesta automática: Cámara',
      'Fuera de la oficina: Cámara',
      'Mensaje de ausencia',
    ],
    away: [
      'Estaré fuera de la oficina hasta el 5 de diciembre de 2026.',
      'Estoy de vacaciones del 20 de noviembre al 5 de diciembre de 2026.',
      'Estoy ausente; vuelvo el 5 de diciembre de 2026.',
    ],
    gone: 'Estoy ausente y no leo el correo.',
  },
  {
    language: 'it',
    re: 'R',
    yes: 'Grazie, mi chiami giovedì alle dieci.\n\nCordiali saluti\nNiccolò Bianchi',
    no: "Grazie, ma quest'anno non costruiamo. Scriva alla mia collega in primavera.",
    wrote: (who) => `Il giorno lun 23 nov 2026 alle ore 10:12 ${who} ha scritto:`,
    odd: [
      "Assenza di budget quest'anno",
      'Ferie e cella frigorifera',
      'Risposta automatica del vostro sistema',
    ],
    automatic: ['Risposta automatica: Cella frigorifera', 'Fuori ufficio: Cella', 'Fuori sede'],
    away: [
      'Sono fuori ufficio fino al 5 dicembre 2026.',
      'Sono in ferie dal 20 novembre al 5 dicembre 2026.',
      'Sono assente, rientro il 5 dicembre 2026.',
    ],
    gone: 'Sono assente e non leggo la posta.',
  },
  {
    language: 'pt',
    re: 'RES',
    yes: 'Obrigado, ligue-me na quinta-feira às dez.\n\nAtenciosamente\nJoão Magalhães',
    no: 'Obrigado, mas este ano não construímos. Escreva à minha colega na primavera.',
    wrote: (who) => `Em seg., 23 de nov. de 2026 às 10:12, ${who} escreveu:`,
    odd: [
      'Ausência de orçamento este ano',
      'Férias coletivas e a câmara fria',
      'Fora do escritório não temos espaço',
    ],
    automatic: [
      'Resposta automática: Câmara fria',
      'Fora do escritório: Câmara fria',
      'Aviso de ausência',
    ],
    away: [
      'Estarei fora do escritório até 5 de dezembro de 2026.',
      'Estou de férias de 20 de novembro a 5 de dezembro de 2026.',
      'Estou ausente e retorno no dia 5 de dezembro de 2026.',
    ],
    gone: 'Estou ausente e não leio e-mails.',
  },
  {
    language: 'nl',
    re: 'Antw',
    yes: 'Bedankt, bel mij donderdag om tien uur.\n\nMet vriendelijke groet\nJoost de Vries',
    no: 'Bedankt, maar dit jaar bouwen wij niet. Schrijf mijn collega in het voorjaar.',
    wrote: (who) => `Op ma 23 nov 2026 om 10:12 schreef ${who}:`,
    odd: [
      'Afwezigheid van budget dit jaar',
      'Vakantie en koelcel',
      'Automatisch antwoord van uw systeem',
    ],
    automatic: ['Automatisch antwoord: Koelcel', 'Afwezigheidsbericht: Koelcel', 'Niet op kantoor'],
    away: [
      'Ik ben tot 5 december 2026 niet op kantoor.',
      'Ik ben van 20 november tot 5 december 2026 met vakantie.',
      'Ik ben afwezig en op 5 december 2026 weer bereikbaar.',
    ],
    gone: 'Ik ben afwezig en lees geen mail.',
  },
  {
    language: 'pl',
    re: 'Odp',
    yes: 'Dziękuję, proszę zadzwonić w czwartek o dziesiątej.\n\nPozdrawiam\nAnna Wiśniewska',
    no: 'Dziękuję, ale w tym roku nie budujemy. Proszę napisać do koleżanki na wiosnę.',
    wrote: (who) => `pon., 23 lis 2026 o 10:12 ${who} napisał(a):`,
    odd: [
      'Nieobecność budżetu w tym roku',
      'Urlop i chłodnia',
      'Automatyczna odpowiedź waszego systemu',
    ],
    automatic: [
      'Automatyczna odpowiedź: Chłodnia',
      'Odpowiedź automatyczna: Chłodnia',
      'Poza biurem',
    ],
    away: [
      'Jestem poza biurem do 5 grudnia 2026.',
      'Przebywam na urlopie od 20 listopada do 5 grudnia 2026.',
      'Jestem nieobecna, wracam 05.12.2026.',
    ],
    gone: 'Jestem poza biurem i nie czytam poczty.',
  },
  {
    language: 'ja',
    re: 'Re',
    yes: 'ありがとうございます。木曜日の十時にお電話ください。\n\n田中',
    no: 'ありがとうございます。今年は建設の予定がございません。春に同僚へご連絡ください。',
    wrote: (who) => `2026年11月23日(月) 10:12 ${who}:`,
    odd: ['冷蔵室についての質問', '会議の件', '夏のお休み前のご相談'],
    automatic: ['自動応答: 冷蔵室', '自動返信: 冷蔵室', '不在通知'],
    away: [
      '2026年12月5日まで不在にしております。',
      '11月20日から12月5日まで休暇をいただいております。',
      'ただいま休暇中です。2026年12月5日に出社いたします。',
    ],
    gone: 'ただいま不在にしております。',
  },
]
