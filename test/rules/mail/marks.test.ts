import { deepEqual, equal } from 'node:assert/strict'
import { ownWords } from '../../../rules/mail/own-words.ts'
import { markConversation, namedProducts } from '../../../rules/mail/wishes/marks.ts'

const intentOf = (text: string, subject = '') => markConversation(text, subject).intent

describe('the marks of a conversation', () => {
  const examples: Record<string, string[]> = {
    quote: [
      'How much is a cold room of 20 m²?',
      'Please send us a quote for ten units.',
      'Bitte schicken Sie mir ein Angebot über 20 Stück.',
      'Was kostet das im Monat?',
      '¿Cuánto cuesta el plan anual?',
      'Pourriez-vous m’envoyer un devis ?',
      'Vorrei un preventivo, grazie.',
      'Quanto custa por mês?',
      'Пришлите, пожалуйста, прайс-лист.',
    ],
    meeting: [
      'Can we meet on Tuesday?',
      'Could you call me tomorrow at ten?',
      'Haben Sie nächste Woche einen Termin frei?',
      '¿Podemos agendar una llamada?',
      'Je propose un rendez-vous jeudi.',
      'Possiamo fissare un appuntamento?',
      'Давайте созвонимся завтра.',
    ],
    interested: [
      'Sounds interesting, tell me more.',
      'Das klingt gut, wir sind interessiert.',
      'Me interesa, gracias.',
      'Ça m’intéresse, merci.',
      'Ci interessa molto.',
      'Нам интересно.',
    ],
    not_interested: [
      'Thanks, but we are not interested.',
      'No thanks, and please do not quote a price either.',
      'Danke, kein Bedarf.',
      'No nos interesa, gracias.',
      'Non merci, pas besoin.',
      'Не интересует.',
    ],
    complaint: [
      'The unit arrived damaged and I want a refund.',
      'Die Anlage funktioniert nicht, ich bin sehr enttäuscht.',
      'Quiero presentar una queja.',
      'La machine ne fonctionne pas.',
      'У меня жалоба на доставку.',
    ],
    unsubscribe: [
      'Please take me off your list.',
      'UNSUBSCRIBE',
      'Bitte aus dem Verteiler nehmen.',
      'Quiero darme de baja.',
      'Merci de me désabonner.',
      'Отпишите меня.',
    ],
    out_of_office: [
      'I am out of the office until Monday. For prices write to Ann.',
      'Vielen Dank, ich bin im Urlaub bis 3. Mai.',
      'Je suis en congés jusqu’au 12.',
    ],
    question: [
      'Do you deliver to Norway?',
      'Ich habe eine Frage zur Montage.',
      'Подскажите адрес.',
    ],
    other: ['Thank you!', 'Received.', '', 'The pricey part is behind us.'],
  }
  for (const [intent, texts] of Object.entries(examples))
    it(`know ${intent}`, () => {
      for (const text of texts) equal(intentOf(text), intent, text)
    })

  it('put first who asks for a price, complains or is pressed, and last who refuses', () => {
    const importance = (text: string) => markConversation(text, '').importance
    deepEqual(
      [
        'What does it cost?',
        'I want a refund.',
        'Where is it? It is urgent.',
        'Do you deliver to Norway?',
        'Not interested.',
        'Our newsletter of May. To unsubscribe click here.',
      ].map(importance),
      ['high', 'high', 'high', 'normal', 'low', 'low'],
    )
  })

  it('use the subject where the text says nothing, unless it is that of a reply', () => {
    equal(intentOf('See attached.', 'Request for quotation'), 'quote')
    equal(intentOf('See attached.', 'Re: Request for quotation'), 'other')
    equal(intentOf('I am back on Monday.', 'Automatische Antwort: Angebot'), 'out_of_office')
  })

  it('read a few lines as an unsubscribe, but not a long letter or mass mail', () => {
    equal(intentOf('Please unsubscribe me.'), 'unsubscribe')
    equal(intentOf(`Please unsubscribe me. ${'The weather is fine. '.repeat(30)}`), 'other')
    equal(intentOf('News of May. To unsubscribe click here.'), 'other')
  })

  it('ignore quoted text', () => {
    const replies = [
      'Thank you!\n\nOn Mon, 2 Mar 2026 at 10:00, Eva <eva@us.example> wrote:\n> What does it cost?',
      'Danke!\r\n\r\nAm 02.03.2026 um 10:00 schrieb Eva Fox:\r\n> Unser Angebot',
      'Merci !\n\nLe lun. 2 mars 2026 à 10:00, Eva a écrit :\n\nNotre prix',
      'Thanks\n\n-----Original Message-----\nOur price is 49 EUR.',
      'Thanks\n\nFrom: Eva\nSent: Monday\nTo: Kim\n\nOur price list',
      'Thanks\n-- \nKim, Director of Pricing and price lists',
      '> What does it cost?\nThanks',
    ]
    for (const text of replies) equal(intentOf(text), 'other', text)
    equal(ownWords('> only this'), '> only this')
  })

  it('recognize products by whole words', () => {
    const products = [
      { id: 'a', name: 'CRM' },
      { id: 'b', name: 'Cold Room+' },
      { id: 'c', name: 'Übersicht' },
      { id: 'd', name: 'X' },
    ]
    const named = (text: string, subject = '') => namedProducts(text, subject, products)
    deepEqual(named('Is the crm still sold?'), ['a'])
    deepEqual(named('CRMs and scrm'), [])
    deepEqual(named('A cold\nroom+, and UBERSICHT'), ['b', 'c'])
    deepEqual(named('Thanks\n> about CRM', 'CRM'), ['a'])
    deepEqual(named('Thanks\n> about CRM'), [])
    deepEqual(named('x'), [])
  })

  it('cope with long and odd texts', () => {
    const started = performance.now()
    for (const text of [
      'a '.repeat(500_000),
      'on '.repeat(100_000),
      '>'.repeat(300_000),
      '\n'.repeat(1e6),
      'from: x\n'.repeat(100_000),
    ])
      markConversation(text, text)
    equal(performance.now() - started < 3000, true)
  })
})
