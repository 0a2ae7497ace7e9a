import { deepEqual } from 'node:assert/strict'
import { readMail } from '../../../activities/inbox/read-mail.ts'

// What people let a program say of their absence, and the day until which letters wait.

const at = new Date('2026-11-23T09:30:00Z')

const read = (text: string, head: string[] = ['Auto-Submitted: auto-replied']) =>
  readMail(
    Buffer.from(
      [
        'Return-Path: <>',
        'From: Kim <kim@client.example>',
        'Subject: Automatic reply: Hello',
        'Content-Type: text/plain; charset=utf-8',
        ...head,
        '',
        text,
      ].join('\r\n'),
    ),
    at,
  )

const absences: Record<string, [day: string | null, text: string][]> = {
  English: [
    ['2026-11-27', 'I will be back on 27.11.2026.'],
    ['2026-12-04', 'I am out until 4 December.'],
    ['2026-12-07', 'I will return on December 7th.'],
    ['2026-12-07', 'I will be back on 2026-12-07.'],
    ['2026-12-04', 'Out until Friday, December 4, 2026 at 5 pm.'],
    ['2026-12-04', 'I am on leave from 20 November to 4 December.'],
    ['2026-12-05', 'I am on leave from 11/20/2026 through 12/04/2026.'],
    ['2027-01-04', 'I am on leave from 12/28/2026, and back on 01/04/2027.'],
    ['2026-12-04', 'I will be back on 12/04/2026.'],
    ['2026-12-05', 'I am out of the office through 4 December.'],
    ['2026-12-05', "I'm away until 4 December inclusive."],
    ['2026-12-05', 'I am on vacation up to and including Friday, 4 December.'],
    [
      '2026-12-07',
      'Thank you for your mail.\nI am travelling and will reply\non my return on 7 December.',
    ],
    ['2026-12-07', 'Hello\nBack in on Monday 7 December\nKim'],
    ['2026-12-07', 'I expect to be back in the office on Monday, Dec. 7.'],
    ['2026-12-07', "I'll be returning to work on the 7th of December."],
    ['2026-12-07', "I won't be available until 7 Dec 2026."],
    ['2026-12-07', 'Returning 7 December.'],
    ['2026-11-27', "I'm off sick, back on Friday."],
    ['2026-11-28', 'I am out through Friday.'],
    ['2026-12-07', 'I am away from 20/11 to 4/12. I will be available again from 7/12.'],
    ['2026-12-07', 'I will be back in the office on Monday the 7th.'],
    ['2026-12-04', 'I will be out from the 20th of November to the 4th of December.'],
    ['2026-12-07', 'Mr Lee is travelling and will be back on 7 December.'],
    ['2026-12-07', 'She will not return until 7 December.'],
    ['2026-11-28', 'I am out of the office Monday through Friday this week.'],
    ['2027-01-04', 'I am out 12/21 - 1/4.'],
    ['2026-12-05', 'I am out of the office 12/1-12/4 (inclusive).'],
    ['2026-12-04', 'I am out of the office 1/12-4/12.'],
    ['2026-11-27', 'I am attending a trade show until November 27.'],
    ['2026-12-07', 'I am in the office again from the 7th of December.'],
    ['2026-12-01', 'I am out until 1 December, incl. the weekend.'],
    ['2026-12-07', 'I will not be back until 7 December.'],
  ],
  German: [
    ['2026-11-27', 'Ich bin ab dem 27.11.2026 wieder da.'],
    ['2026-12-07', 'Ab dem 7.12. bin ich wieder da.'],
    ['2026-12-04', 'Ich bin bis 4.12. im Urlaub.'],
    ['2026-12-07', 'Ich bin vom 20.11. bis 4.12. im Urlaub. Ab dem 7.12. bin ich wieder da.'],
    ['2026-12-03', 'Ich bin bis einschließlich 2. Dezember 2026 nicht im Büro.'],
    ['2026-12-05', 'Ich bin bis inkl. Freitag, den 4.12., nicht da.'],
    ['2026-12-05', 'Ich bin bis und mit 4. Dezember abwesend.'],
    ['2026-12-05', 'Ich habe bis zum 4.12.26 (einschließlich) frei.'],
    ['2026-12-07', 'Ich kehre am 7. Dezember zurück.'],
    ['2026-12-07', 'Am Montag, 07.12.2026, stehe ich Ihnen wieder zur Verfügung.'],
    ['2026-12-07', 'Nach meiner Rückkehr am 7. Dez. melde ich mich.'],
    ['2026-11-25', 'Ich bin erst am Mittwoch wieder im Haus.'],
    ['2026-12-04', 'Ich bin von 20.11.-4.12. unterwegs.'],
    ['2026-12-07', 'Wieder erreichbar ab 7.12.'],
    ['2026-12-07', 'Ich bin erst wieder ab Montag, dem 07.12., für Sie da.'],
    ['2026-12-04', 'Bin bis 4.12. unterwegs.'],
    [
      '2026-11-30',
      'Ich bin derzeit nicht am Platz. Meine Mails werden ab\n30.11.2026 wieder gelesen.',
    ],
    ['2026-11-30', 'Ich bin ab 30. November wieder für Sie erreichbar.'],
    ['2026-11-27', 'Ich bin vom 23.11. bis zum 27.11.2026 auf Fortbildung.'],
  ],
  French: [
    ['2026-12-03', "Je suis absent jusqu'au 2 décembre inclus."],
    ['2026-12-07', 'Je serai de retour au bureau le 7 décembre.'],
    ['2026-12-07', 'De retour lundi 7 décembre.'],
    ['2026-12-07', 'Je reviens le 07/12.'],
    ['2026-12-07', 'Je reprends le lundi 7 décembre 2026.'],
    ['2026-12-04', 'Absente du 20/11 au 04/12.'],
    ['2026-12-05', 'Je suis en congés du 20/11/2026 au 04/12/2026 inclus.'],
    ['2026-12-07', 'Je vous répondrai à mon retour le 7 déc.'],
    ['2026-12-01', 'Je serai à nouveau joignable à partir du 1er décembre.'],
    ['2026-12-04', "Je ne serai pas au bureau jusqu'au 4 décembre."],
    ['2026-11-30', 'Je serai de retour lundi prochain.'],
    ['2026-12-04', "Je suis en arrêt maladie jusqu'au 4 décembre."],
  ],
  Spanish: [
    ['2026-12-07', 'Estaré de vuelta el 7 de diciembre.'],
    ['2026-12-07', 'Volveré a la oficina el lunes 7 de diciembre de 2026.'],
    ['2026-12-07', 'Regreso el 07/12/2026.'],
    ['2026-12-07', 'Me reincorporo el 7/12.'],
    ['2026-12-05', 'Estaré fuera hasta el 4 de diciembre inclusive.'],
    ['2026-12-05', 'Estoy de vacaciones del 20 de noviembre al 4 de diciembre, ambos inclusive.'],
    ['2026-12-07', 'Responderé a mi vuelta, el 7 de diciembre.'],
    ['2026-12-07', 'De vuelta el 7 de diciembre'],
    ['2026-12-04', 'No estaré disponible hasta el viernes 4 de diciembre.'],
    ['2026-12-07', 'Ahora mismo no estoy. Vuelvo el día 7/12'],
    ['2026-11-25', 'Vuelvo el miércoles.'],
  ],
  Italian: [
    ['2026-12-07', 'Tornerò il 7 dicembre.'],
    ['2026-12-05', 'Sarò assente dal 20 novembre al 4 dicembre compresi.'],
    ['2026-12-07', 'Sarò di nuovo in ufficio lunedì 7 dicembre 2026.'],
    ['2026-12-07', 'Rientro il 07/12/2026.'],
    ['2026-12-07', 'Risponderò al mio rientro il 7/12.'],
    ['2026-12-04', 'Sono fuori fino al 4 dicembre.'],
    ['2026-12-05', 'Sono in ferie fino al 4 dicembre incluso.'],
    ['2026-12-07', 'Sarò disponibile a partire dal 7 dic.'],
    ['2026-12-01', "Saro' di ritorno il 1° dicembre."],
    ['2026-11-25', 'Torno mercoledì.'],
  ],
  Portuguese: [
    ['2026-12-07', 'Retorno dia 07/12.'],
    ['2026-12-04', 'Estarei fora de 20/11 a 04/12'],
    ['2026-12-07', 'Volto dia 7 de dezembro.'],
    ['2026-12-07', 'Estarei de volta em 7 de dezembro de 2026.'],
    ['2026-12-07', 'De volta em 07/12/2026.'],
    ['2026-12-07', 'Regressarei ao escritório no dia 7 de dezembro.'],
    ['2026-12-05', 'Estou de férias até 4 de dezembro, inclusive.'],
    ['2026-12-07', 'Responderei no meu regresso, a 7 de dezembro.'],
    ['2026-12-04', 'Não estarei disponível até 4/12/2026.'],
    ['2026-12-01', 'Voltarei no dia 1º de dezembro.'],
    ['2026-12-05', 'Encontro-me ausente até ao dia 4 de dezembro, inclusive.'],
    ['2026-12-07', 'Retorno previsto para 07/12.'],
    ['2026-11-25', 'Volto na quarta-feira.'],
  ],
  Dutch: [
    ['2026-12-07', 'Ik ben er weer op maandag 7 december.'],
    ['2026-12-03', 'Ik ben tot en met 2 december afwezig.'],
    ['2026-12-05', 'Ik ben t/m vrijdag 4 december 2026 met vakantie.'],
    ['2026-12-07', 'Vanaf 7 december ben ik weer terug.'],
    ['2026-12-07', 'Terug op 7 december.'],
    ['2026-12-07', 'Ik keer op 07-12-2026 terug.'],
    ['2026-12-07', 'Ik ben op 7-12-2026 weer op kantoor.'],
    ['2026-12-04', 'Ik ben er niet tot 4 december.'],
    ['2026-12-07', 'Na mijn terugkomst op 7 dec. antwoord ik.'],
    ['2026-11-25', 'Woensdag ben ik er weer.'],
  ],
  Polish: [
    ['2026-12-07', 'Będę dostępna od 7 grudnia.'],
    ['2026-12-07', 'Wracam 7 grudnia.'],
    ['2026-12-07', 'Wrócę do biura 7.12.'],
    ['2026-12-07', 'Powrót: 07.12.2026'],
    ['2026-12-05', 'Jestem na urlopie do 4 grudnia włącznie.'],
    ['2026-12-05', 'Będę nieobecny do 4.12.2026 r. włącznie.'],
    ['2026-12-04', 'Nie będzie mnie w biurze do 4 grudnia 2026 r.'],
    ['2026-12-07', 'Odpowiem po powrocie, tj. 7 grudnia.'],
    ['2026-12-07', 'Będę z powrotem w poniedziałek 7 grudnia.'],
    ['2026-11-30', 'Wracam w poniedziałek.'],
    ['2027-01-05', 'Jestem na urlopie do 4.01 włącznie.'],
    ['2026-11-28', 'Jestem na urlopie do piątku włącznie.'],
  ],
  Japanese: [
    ['2026-12-07', '12月7日に出社いたします。'],
    ['2026-12-07', '12月7日(月)より復帰いたします。'],
    ['2026-12-07', '１２月７日に帰社予定です。'],
    ['2026-12-04', '11月20日から12月4日まで不在にしております。'],
    ['2026-12-04', '2026/12/4まで休暇をいただいております。'],
    ['2026-12-07', '12/7に戻ります。'],
    ['2026-12-04', '12月1日〜4日はお休みをいただきます。'],
    ['2026-11-30', '戻りは11月30日になります。'],
    ['2026-12-05', '12月4日いっぱい不在です。'],
    ['2026-12-07', '2026年12月7日より業務を再開いたします。'],
  ],
}

const others = [
  'We will be back to you within 2 days.',
  'Our team will return to you by Monday, 30 November.',
  'I will get back to you on Monday.',
  "I'll be back in touch on 7 December.",
  'I will return your call on Monday.',
  'I will come back to you on Monday.',
  'Thank you. I am your virtual assistant. We will return to you on 30 November.',
  'Out for delivery: Friday.',
  'Our shop is available again from 7 December.',
  'Our support is available from Monday to Friday, 24/7.',
  'Please return the goods until 7 December.',
  'The system is down and will be back on Monday.',
  'I am offering you a discount until 4 December.',
  'I am sorry that we are out of this item until 4 December.',
  'You may 24/7 write to us until we are back to you on Monday.',
  'Ich bin wegen Ihrer Anfrage vom 27.11. im Gespräch.',
  'Ich bin außerdem am Montag in der Sitzung.',
  'I biglietti sono di nuovo disponibili dal 7 dicembre.',
  'サービスは12月7日に復帰します。',
  'Ich komme am Montag auf Sie zurück.',
  'Ich komme am 7. Dezember auf Ihre Anfrage zurück.',
  'Ich werde mich am Montag wieder bei Ihnen melden.',
  'Der Dienst ist ab dem 7.12. wieder verfügbar.',
  'Ab Montag sind wir wieder für Sie da.',
  'Votre commande sera de retour en stock lundi.',
  'Je reviens vers vous lundi.',
  'Je reviendrai rapidement vers vous le 7 décembre.',
  'Nous reviendrons vers vous avant le 7 décembre.',
  'Volveré a contactarle el lunes.',
  'Tornerò a contattarla lunedì.',
  'Aguarde nosso retorno até segunda-feira.',
  'Retornarei seu contato até segunda-feira.',
  'Daremos retorno até 07/12.',
  'Ik ben blij met uw bericht en kom er vrijdag op terug.',
  'Ik kom hier maandag op terug.',
  'Wij komen voor 7 december bij u terug.',
  'Wrócę do Pana z odpowiedzią w poniedziałek.',
  'Odpowiemy do 7 grudnia.',
  '12月7日までにご返信いたします。',
]

describe('an absence that a program tells of', () => {
  for (const [language, sentences] of Object.entries(absences))
    for (const [until, text] of sentences)
      it(`lasts until ${until}, in ${language}: ${text.replaceAll('\n', ' ')}`, async () => {
        deepEqual((await read(text)).autoReply, { outOfOffice: true, until })
      })

  for (const text of others)
    it(`is not what a program promises: ${text}`, async () => {
      deepEqual((await read(text)).autoReply, { outOfOffice: false, until: null })
    })

  for (const [language, sentences] of Object.entries(absences))
    it(`makes no program of a person who writes of theirs in ${language}`, async () => {
      for (const [, text] of sentences.filter(([, one]) => !/office|vacation|leave/.test(one))) {
        const head = ['Subject: Re: Hello', 'From: Kim <kim@client.example>', '', text]
        const mail = await readMail(Buffer.from(head.join('\r\n')), at)
        deepEqual([mail.automated, mail.autoReply], [false, null])
      }
    })
})
