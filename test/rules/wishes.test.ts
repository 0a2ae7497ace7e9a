import { equal } from 'node:assert/strict'
import { markConversation } from '../../rules/marks.ts'
import { rowsIn } from '../support/tsv.ts'

const intentOf = (text: string, subject = 'Re: Hello') => markConversation(text, subject).intent

describe('what a reply asks for', () => {
  const answers = rowsIn(
    new URL('wishes.tsv', import.meta.url),
    ...(['language', 'wish', 'sentence'] as const),
  )
  const wishes = ['unsubscribe', 'not_interested', 'interested']
  const titleOf = ({ language, wish }: (typeof answers)[number]) =>
    wish === 'none'
      ? `is nothing of the kind if only its words are there, in ${language}`
      : `is known as ${wish} in ${language}`
  for (const [title, said] of Map.groupBy(answers, titleOf))
    it(title, () => {
      for (const { sentence, wish } of said) {
        const intent = intentOf(sentence) ?? ''
        equal(wishes.includes(intent) ? intent : 'none', wish, sentence)
      }
    })

  it('is an unsubscribe by one word only if that is the whole text', () => {
    const whole = [
      'STOP',
      'Stop.',
      '"STOP"',
      'Hi Ana,\n\nSTOP\n\nBest regards\nKim Fox\nHead of Sales',
      'Stop please\nKim',
      'Abmelden\n\nVon meinem iPhone gesendet',
      'Bonjour,\n\nDésinscription\n\nCordialement,\nLuc',
      'Not interested. Unsubscribe.',
      'Dzień dobry,\nwypisz\n\nPozdrawiam\nJan',
      'お世話になっております。\n配信停止\nよろしくお願いいたします。',
    ]
    for (const text of whole) equal(intentOf(text), 'unsubscribe', text)
    const parts = [
      'STOP by our booth.',
      'We stop. Then we go on.',
      'Thanks, let us talk in May.\n\nKim\nAcme News\nUnsubscribe',
      'Our bus has a stop\nStop\nthere, see the map.',
    ]
    for (const text of parts) equal(intentOf(text) === 'unsubscribe', false, text)
    equal(intentOf('', 'Unsubscribe'), 'unsubscribe')
    equal(intentOf('Here it is.', 'Unsubscribe pages of May'), 'other')
  })

  it('is not what our own line below a letter says, however it is quoted', () => {
    const lines = [
      'No more of these letters: https://post.example/u/abc',
      'Keine weiteren Schreiben dieser Art: https://post.example/u/abc',
      'No recibir más cartas como esta: https://post.example/u/abc',
      'Ne plus recevoir de lettres de ce genre :\nhttps://post.example/u/abc',
    ]
    for (const line of lines) equal(intentOf(`See you there.\n\n${line}`), 'other', line)
    const quoted = [
      'Op ma 2 mrt 2026 om 10:00 schreef Eva <eva@us.example>:\n\nPlease unsubscribe me.',
      'W dniu 2.03.2026 o 10:00, Eva pisze:\n\nPlease unsubscribe me.',
      'pon., 2 mar 2026 o 10:00 Eva <eva@us.example> napisał(a):\n\nPlease unsubscribe me.',
      '2026年3月2日(月) 10:00 Eva <eva@us.example>:\n\nPlease unsubscribe me.',
      'Van: Eva\nVerzonden: maandag 2 maart\nAan: Kim\n\nPlease unsubscribe me.',
      'Od: Eva\nWysłano: poniedziałek\nDo: Kim\n\nPlease unsubscribe me.',
      '差出人: Eva\n送信日時: 2026年3月2日\n宛先: Kim\n\nPlease unsubscribe me.',
      'De: Eva\nEnviado el: lunes\nPara: Kim\n\nPlease unsubscribe me.',
      'De: Eva\nEnviada em: segunda-feira\nPara: Kim\n\nPlease unsubscribe me.',
      '-----Oorspronkelijk bericht-----\n\nPlease unsubscribe me.',
    ]
    for (const text of quoted) equal(intentOf(`See you there.\n\n${text}`), 'other', text)
  })

  it('is heard in a mail that names a newsletter, but not in mass mail', () => {
    const asked = [
      'Please unsubscribe me from your newsletter.',
      'I would like to unsubscribe.',
      'Bitte melden Sie mich vom Newsletter ab.',
      'Je souhaite me désabonner de votre newsletter.',
    ]
    for (const text of asked) equal(intentOf(text), 'unsubscribe', text)
    const offered = [
      'Our newsletter of May. If you want to unsubscribe click here.',
      'Wenn Sie keine weiteren E-Mails erhalten möchten, klicken Sie hier.',
      'Si vous ne souhaitez plus recevoir nos e-mails, cliquez ici.',
      'Si no desea recibir más correos, haga clic aquí.',
      'Se non desidera ricevere altre mail, clicchi qui.',
      'Para cancelar a inscrição, clique aqui.',
      'Geen e-mails meer ontvangen? Klik hier.',
      'Jeśli nie chcesz otrzymywać wiadomości, kliknij tutaj.',
      '配信停止をご希望の方はこちら',
    ]
    for (const text of offered) equal(intentOf(text) === 'unsubscribe', false, text)
  })
})
