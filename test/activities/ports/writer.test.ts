import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { answerFromWords } from '../../../activities/ports/model/task-words.ts'
import { countWords } from '../../../activities/ports/model/wording.ts'
import { type Brief, writeByTemplate } from '../../../activities/ports/model/writer.ts'

const brief: Brief = {
  place: 1,
  person: { name: 'Cleo', jobTitle: 'Head of logistics', company: 'Acme' },
  goal: 'Book a demo',
  company: { name: 'Us Ltd', pitch: 'We keep sales teams calm.', policy: '', facts: [] },
  product: { name: 'CRM', description: 'A light CRM. It has no frills.', conditions: [] },
  rules: [],
  knowledge: '',
  materials: [],
  signature: 'Ana Ruiz',
  firstSubject: null,
}
const write = (given: Partial<Brief> = {}) => writeByTemplate({ ...brief, ...given })
const ruled = (...rules: string[]) => write({ rules }).text

describe('the embedded writer', () => {
  it('writes a plain letter', () => {
    const { subject, text } = write()
    equal(subject, 'CRM: a question')
    deepEqual(text.split('\n\n'), [
      'Hello Cleo,',
      'I am writing to you on behalf of Us Ltd. We keep sales teams calm.',
      'Let me introduce CRM: a light CRM. It has no frills.',
      'May I show you more in a short demo?',
      'Kind regards,\nAna Ruiz\n',
    ])
  })

  const materials = [
    { title: 'Banks', text: 'A bank saved much. It was glad.' },
    { title: 'Logistics', text: 'A logistics firm saved a day a week. A. B. C. D. And more.' },
    { title: 'Ten questions about calm', text: '' },
  ]
  it('uses the material that fits the person, and another in the next letter', () => {
    match(write({ materials }).text, /\n\nA logistics firm saved a day a week\./)
    const second = write({ materials, place: 2 }).text
    doesNotMatch(second, /logistics firm/)
    match(second, /A bank saved much\.|Ten questions about calm\./)
  })

  it('uses the title of a material without text, and skips an empty one', () => {
    match(write({ materials: [materials[2]!] }).text, /Ten questions about calm\./)
    equal(write({ materials: [{ title: ' ', text: '' }] }).text, write().text)
  })

  it('keeps to the number of words it is given', () => {
    for (const words of [60, 40, 25, 15]) {
      const text = write({ rules: [`No more than ${words} words.`], materials }).text
      ok(countWords(text) <= words, `${countWords(text)} of ${words}`)
      match(text, /^Hello Cleo,\n\n[\s\S]+\n\nKind regards,\nAna Ruiz\n$/)
    }
  })

  it('signs, mentions and leaves out what the rules say', () => {
    match(ruled('Sign as Ben Fox'), /\n\nBen Fox\n$/)
    match(ruled('Mention the free trial'), /Let me also mention the free trial\./)
    match(ruled('Always mention that setup takes a day.'), /\n\nSetup takes a day\.\n/)
    doesNotMatch(ruled('Never mention frills.'), /frills/)
    doesNotMatch(ruled('Never mention demos.'), /demo/i)
    match(write({ rules: ['Never mention demos.'] }).text, /Would a short talk/)
  })

  it('addresses clients as the rules say, and says nothing that they forbid', () => {
    match(ruled('Mention that they can cancel any time.'), /\n\nYou can cancel any time\.\n/)
    match(ruled('Tell them that their data stays in Europe.'), /\n\nYour data stays in Europe\.\n/)
    for (const rule of [
      'It is forbidden to mention our margin.',
      'It is wrong to mention our margin.',
    ])
      doesNotMatch(ruled(rule), /margin/)
  })

  it('makes sentences of headlines, lists and broken lines, and of no file name', () => {
    const product = (description: string) =>
      write({ company: null, product: { name: 'CRM', description, conditions: [] } }).text.split(
        '\n\n',
      )[1]
    equal(product('CRM: the tool for you'), 'Let me introduce CRM: the tool for you.')
    equal(
      product('A light CRM\nfor small teams.'),
      'Let me introduce CRM: a light CRM for small teams.',
    )
    equal(product('- fast\n- cheap'), 'Let me introduce CRM: fast. Cheap.')
    equal(product('???'), 'Let me introduce CRM.')
    const pitch = (text: string) =>
      write({ company: { ...brief.company!, pitch: text }, product: null }).text.split('\n\n')[1]
    const behalf = 'I am writing to you on behalf of Us Ltd.'
    equal(pitch('cloud accounting'), `${behalf} Cloud accounting.`)
    equal(pitch('Us Ltd'), behalf)
    const list = [{ title: 'Case', text: '# A bank\n\n* it saved\n  much\n* it was glad' }]
    match(write({ materials: list }).text, /\n\nA bank\. It saved much\. It was glad\.\n/)
    equal(write({ materials: [{ title: 'price_list.pdf', text: '' }] }).text, write().text)
  })

  it('still asks its question, however few words it may use', () =>
    deepEqual(ruled('No more than 5 words.').split('\n\n'), [
      'Hello Cleo,',
      'May I show you more in a short demo?',
      'Kind regards,\nAna Ruiz\n',
    ]))

  it('does not use a greeting that needs a name it does not have', () => {
    const nobody = { ...brief.person!, name: 'N/A' }
    match(write({ rules: ['Greet with "Dear"'] }).text, /^Dear Cleo,/)
    match(write({ rules: ['Greet with "Dear"'], person: nobody }).text, /^Hello there,/)
  })

  it('writes in German when the rules say so', () => {
    const text = ruled('Write in German')
    match(text, /^Guten Tag Cleo,/)
    match(
      text,
      /\n\nIch schreibe Ihnen im Namen von Us Ltd\.\n\nIch möchte Ihnen CRM vorstellen\.\n/,
    )
    doesNotMatch(text, /calm|frills/)
  })

  const inOwnWords: Record<string, [pitch: string, description: string, whole: string[]]> = {
    de: [
      'Wir halten Küchen kalt.',
      'Flach verpackte Kühlräume',
      [
        'Guten Tag Cleo,',
        'Ich schreibe Ihnen im Namen von Us Ltd. Wir halten Küchen kalt.',
        'Ich möchte Ihnen CRM vorstellen: Flach verpackte Kühlräume.',
        'Darf ich Ihnen in einer kurzen Demo mehr zeigen?',
        'Mit freundlichen Grüßen\nAna Ruiz\n',
      ],
    ],
    es: [
      'Mantenemos frías las cámaras de su cocina.',
      'Un sensor de temperatura',
      [
        'Hola Cleo,',
        'Le escribo en nombre de Us Ltd. Mantenemos frías las cámaras de su cocina.',
        'Me gustaría presentarle CRM: un sensor de temperatura.',
        '¿Puedo mostrarle más en una breve demostración?',
        'Un cordial saludo,\nAna Ruiz\n',
      ],
    ],
    fr: [
      'Nous gardons vos chambres froides.',
      'Elle avertit avant que rien ne se gâte.',
      [
        'Bonjour Cleo,',
        'Je vous écris au nom de Us Ltd. Nous gardons vos chambres froides.',
        'J’aimerais vous présenter CRM. Elle avertit avant que rien ne se gâte.',
        'Puis-je vous en montrer plus lors d’une courte démonstration ?',
        'Cordialement,\nAna Ruiz\n',
      ],
    ],
  }
  for (const [language, [pitch, description, whole]] of Object.entries(inOwnWords))
    it(`writes in the language of its company and product: ${language}`, () => {
      const company = { ...brief.company!, pitch }
      const letter = write({ company, product: { ...brief.product!, description } })
      equal(letter.language, language)
      deepEqual(letter.text.split('\n\n'), whole)
    })

  it('follows the goal and never states it', () => {
    const asks: Record<string, RegExp> = {
      'Show you our light CRM in ten minutes': /May I show you more in a short demo\?/,
      'Get them to start the free trial, whatever it takes': /Would you like to try it\?/,
      'Sell, sell, sell to whoever has a budget': /Would a short talk be of interest to you\?/,
    }
    for (const [goal, ask] of Object.entries(asks))
      for (const place of [1, 2, 3] as const) {
        const { text, subject } = write({ goal, place, company: null })
        match(text, ask)
        ok(!text.includes(goal) && !subject.includes(goal), text)
      }
  })

  it('describes a product in whole sentences', () => {
    const said = {
      'A light CRM': 'Let me introduce CRM: a light CRM.',
      'CRM keeps your contacts in one place.': 'CRM keeps your contacts in one place.',
      'Our CRM is light. So light.': 'Our CRM is light. So light.',
      'It takes the noise out of selling.':
        'Let me introduce CRM. It takes the noise out of selling.',
      '': 'Let me introduce CRM.',
    }
    for (const [description, whole] of Object.entries(said))
      equal(write({ product: { ...brief.product!, description } }).text.split('\n\n')[2], whole)
  })

  it('adds no regards to a signature that has its own, and invents no name to sign with', () => {
    match(write({ signature: 'Best wishes,\nAna' }).text, /\?\n\nBest wishes,\nAna\n$/)
    match(write({ signature: '' }).text, /\n\nKind regards\n$/)
  })

  it('greets nobody by something that is not a name', () => {
    for (const name of ['', 'See https://evil.example', 'x@y.example', 'Bob\nBcc: x', '<b>Bob</b>'])
      match(write({ person: { name, jobTitle: '', company: '' } }).text, /^Hello there,\n/)
    match(ruled('Greet with "Dear {name}!"'), /^Dear Cleo!\n/)
    for (const name of ['N/A', '-', 'null', 'info'])
      match(write({ person: { name, jobTitle: '', company: '' } }).text, /^Hello there,\n/)
    const person = { name: 'MÜLLER, JÜRGEN', jobTitle: '', company: '' }
    match(write({ person, rules: ['Write in German'] }).text, /^Guten Tag Jürgen Müller,\n/)
  })

  it('replies to the first subject in later letters', () => {
    equal(write({ place: 2, firstSubject: 'Ten minutes' }).subject, 'Re: Ten minutes')
    equal(write({ goal: 'a\nb', product: null, company: null }).subject, 'A question')
  })
})

describe('answering by the words of a task', () => {
  const { place: _, materials: __, firstSubject: ___, ...house } = brief
  const answer = (words: string, rules: string[] = []) => {
    const given = { ...house, rules, words, person: brief.person!, messages: [] }
    const reply = answerFromWords(given)
    return 'refused' in reply ? reply.refused : reply.text.split('\n\n')
  }

  const dictated: Record<string, string> = {
    'Write: The offer is on its way.': 'The offer is on its way.',
    'reply: thanks, we will call\non Monday': 'thanks, we will call\non Monday.',
    'Send them "See you on Tuesday"': 'See you on Tuesday.',
    'Tell them that the offer ends on Friday. He pays late.': 'The offer ends on Friday.',
    'Let Cleo know we are open': 'We are open.',
    'Ask them whether Tuesday suits': 'I would like to ask whether Tuesday suits.',
    'Remind him that the trial ends soon': 'A short reminder: the trial ends soon.',
    'Remind them to pay the invoice': 'A short reminder: please pay the invoice.',
    'Thank her for her order.': 'Thank you for your order.',
    'Answer that we ship on Monday': 'We ship on Monday.',
    'Inform the client that the shipment is late': 'The shipment is late.',
    'Could you please tell them that we ship?': 'We ship.',
    'Please write "See you on Monday" to Cleo': 'See you on Monday.',
    // What the task says about the client becomes an address to the client.
    'Tell them they can order until Friday': 'You can order until Friday.',
    'Tell her that her order has shipped': 'Your order has shipped.',
    'Tell her we will call her tomorrow': 'We will call you tomorrow.',
    'Tell him she will call him': 'She will call you.',
    'Tell her to call me': 'Please call me.',
    'Ask whether Monday suits them': 'I would like to ask whether Monday suits you.',
    'Ask Cleo if she already has an offer': 'I would like to ask if you already have an offer.',
    'Ask what he watches': 'I would like to ask what you watch.',
    'Ask them to send the contract': 'I would like to ask you to send the contract.',
    // A name in quotation marks is not a dictated letter.
    'Let them know that "CRM" is ready': '"CRM" is ready.',
    'Ask about the "Gold" plan': 'I would like to ask about the "Gold" plan.',
  }
  for (const [words, text] of Object.entries(dictated))
    it(`“${words}” says “${text}”`, () =>
      deepEqual(answer(words), ['Hello Cleo,', text, 'Kind regards,\nAna Ruiz\n']))

  it('does not guess at a task that dictates no words', () => {
    for (const words of [
      'Follow up; he may have ten percent off',
      'Send the price list',
      'Write:  ',
      'Tell them about our new product',
      'Tell them how to log in',
      'Let them know when we open',
      'Let them pay',
      'Say "yes" or "no" to them',
    ])
      equal(answer(words), 'not_understood', words)
  })

  it('says nothing that is confidential or meant for somebody else', () => {
    for (const words of [
      'Do not tell them that we are broke',
      "Don't write: we are broke",
      'Never say that he pays too much',
      'Do not send them "See you" yet',
      'Call me before you tell them that we ship',
      'If they ask, tell them that we ship',
      'Ask Bo to approve, then tell them that we ship',
      'Tell the team to write that they are away',
      'Tell our lawyer that they may sue',
    ])
      equal(answer(words), 'not_understood', words)
  })

  it('is in the language of what it says', () =>
    deepEqual(answer('Schreibe: Das Angebot kommt am Montag.'), [
      'Guten Tag Cleo,',
      'Das Angebot kommt am Montag.',
      'Mit freundlichen Grüßen\nAna Ruiz\n',
    ]))

  it('writes nothing that the rules forbid', () =>
    equal(answer('Write: You get a discount.', ['Never promise a discount.']), 'forbidden_words'))
})
