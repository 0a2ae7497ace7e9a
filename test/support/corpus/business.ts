import { type Said, saidInFields } from './business-in-fields.ts'
import { letterOf } from './letters.ts'
import { encodedWord, mailOf, partOf } from './mail.ts'

// People who write about what programs write about: returned goods, viruses, blocked accounts, full mailboxes, complaints,
// certified mail, quotas, faxes, lists, absences and people who leave. Each comes as an answer to a letter of ours and by itself.

export type BusinessSample = { name: string; raw: Buffer; answers: boolean }

const said: Said[] = [
  // Goods and parcels
  [
    'Returned goods, order 5512',
    'The pallet was returned to sender because the door was too low. It could not be delivered.\nPlease send it to\n\nwarehouse@kobalt.example\n\nKim',
  ],
  [
    'Delivery failed this morning',
    'The driver rang twice and nobody opened, so the goods could not be delivered. Shall he come again tomorrow?',
  ],
  [
    'Zustellung fehlgeschlagen: Palette 12',
    'Guten Morgen,\n\ndie Palette wurde nicht zugestellt, die Annahme wurde verweigert. Wohin damit?\n\nKim Lee',
  ],
  [
    'Unzustellbar: Ihr Paket',
    'Ihr Paket kam als unzustellbar zurück. Bitte nennen Sie uns eine andere Anschrift, am besten an lager@kobalt.example.',
  ],
  [
    'Delivery has failed again',
    "The second pallet couldn't be delivered to our warehouse, the gate was closed. Ask lager@kobalt.example for a time.",
  ],
  [
    'Zustellung fehlgeschlagen',
    'Ihre Sendung konnte nicht zugestellt werden. Die Rampe ist bis Freitag gesperrt.',
  ],
  [
    'No se pudo entregar el pedido',
    'No se pudo entregar a nuestra tienda. El portero estaba fuera. ¿Mañana a las diez?',
  ],
  [
    'Mercancía devuelta',
    'El pedido ha sido devuelto porque no se pudo entregar. ¿Pueden llamar a almacen@cedro.example?',
  ],
  [
    'Mancata consegna del 12 marzo',
    'Buongiorno,\n\nil collo non è stato consegnato e la merce è stata rifiutata dal portiere. Quando riprovate?\n\nKim',
  ],
  [
    'Mancata consegna del collo 71',
    'Il corriere dice che la consegna non è riuscita. Scrivete a Marta:\n\nmarta@azahar.example',
  ],
  [
    'Devolução da mercadoria',
    'A mercadoria foi devolvida pelo transportador, não foi possível entregar. Podemos combinar outra data?',
  ],
  [
    'Retour de votre colis',
    "Votre colis n'a pas été distribué et nous a été retourné. Que faisons-nous ?",
  ],
  [
    'Niet bezorgd: pakket 8812',
    'Het pakket is niet bezorgd en de ontvangst is geweigerd. Kunt u bellen?',
  ],
  [
    'Zwrot towaru',
    'Paczka nie została dostarczona, klient odmówił przyjęcia. Proszę o kontakt z magazynem.',
  ],
  ['商品未着の件', 'お世話になっております。木曜日の商品がまだ届きませんでした。ご確認ください。'],
  ['상품 반송 안내', '안녕하세요. 보내주신 샘플이 반송되었습니다. 다시 보내 주시겠어요?'],
  ['关于退货', '您好，这批货被退回来了，请联系仓库。'],
  ['Возврат товара', 'Здравствуйте, груз не был доставлен, склад его не принял. Что делаем?'],
  // Mail, mailboxes and filters
  [
    'My mailbox was full',
    'Sorry, my mailbox was full and your first mail was returned. Please send the offer again.',
  ],
  [
    'Mailbox full again',
    'Ana, my mailbox is full again because of the drawings. Use kim.private@wisla.example please.\n\nKim',
  ],
  [
    'Your mail was blocked',
    'Our filter says your message has been blocked as it had an executable. Please send a PDF instead.',
  ],
  [
    'Message too big',
    'Your message was too big for our server, could you put the plans on a share? My other address is\n\nkim.lee@kobalt.example',
  ],
  [
    'Virus found in your attachment',
    'Hello Ana,\n\nour scanner said a virus was found in prices.zip and removed it. Is your machine clean?\n\nKim',
  ],
  [
    'Vírus no anexo',
    'Bom dia, o antivírus avisou que o anexo contém vírus. Pode enviar outra vez em PDF?',
  ],
  [
    'Anhang blockiert',
    'Der Anhang wurde blockiert, unser Virenscanner mag keine ZIP-Dateien. Bitte als PDF.',
  ],
  [
    'Nachricht zu groß',
    'Ihre E-Mail war zu groß und wurde abgelehnt. Schicken Sie sie bitte in zwei Teilen.',
  ],
  [
    '添付ファイルの件',
    '添付のZIPは弊社のフィルタで受信拒否になりました。パスワードなしで再送いただけますか。',
  ],
  ['邮件被退回', '您好，我昨天的邮件被退回了，请问您的邮箱地址对吗？'],
  ['메일이 반송되네요', '어제 보낸 메일이 반송되었습니다. 다른 주소가 있으신가요?'],
  [
    'Письмо не доходит',
    'Моё письмо вам не доставлено, пришло сообщение об ошибке. Проверьте адрес.',
  ],
  [
    'Undeliverable? My mail to your colleague',
    'Dear Ana,\n\nmy mail to bo@halden.example came back as undeliverable. Has Bo left?\n\nKim',
  ],
  [
    'Quota for this year',
    'Our quota is exceeded until January, so nothing can be ordered before that. Call me then.',
  ],
  [
    'Account blocked',
    'Your account with us was blocked by accounting because of an open invoice. Please pay and it opens again.',
    'accounts@kobalt.example',
  ],
  // Complaints, lists and authorities
  [
    'Complaint about message from your salesman',
    'Your salesman calls us every day. This is a complaint. Please stop it.',
  ],
  [
    'Complaint about order 71',
    'We received a complaint from our customer about the door.\n\n> From: Ana Ruiz <ana@halden.example>\n> Subject: A cold room\n> Message-ID: <tch_1@halden.example>\n\nWhat do you say?',
    'complaints@kobalt.example',
  ],
  ['Beschwerde', 'Wir haben uns schon zweimal beschwert. Das ist Spam. Ich werde Sie melden.'],
  ['Spam?', 'Is this spam? I never asked for it. If not, tell me where you have my address from.'],
  ['Reclamação', 'Esta é a segunda reclamação. Parem de enviar spam, por favor.'],
  ['迷惑メールですか', 'この広告は迷惑メールではありませんか。配信を止めてください。'],
  ['Жалоба', 'Это спам? Я пожалуюсь провайдеру. Уберите мой адрес.'],
  [
    'Your posting to our list',
    'Your posting was rejected by me since you are not a member of the association. Join first, then post.\n\nKim, who owns the list',
    'listowner@lantern.example',
  ],
  [
    'Lista fornitori',
    'La vostra domanda è stata respinta: non siete iscritti alla lista dei fornitori. Scrivete a gare@cedro.example.',
  ],
  [
    'Contratto via PEC',
    'Le invio il contratto con posta certificata; la ricevuta di consegna è arrivata ieri. Conferma?',
  ],
  [
    'POSTA CERTIFICATA: contratto 12',
    'Buongiorno,\n\naccettiamo la vostra offerta. In allegato il contratto firmato.\n\nStudio Verdi',
    'posta-certificata@pec.cedro.example',
  ],
  [
    'Fax failed, so by mail',
    'The fax to you was not sent because your line was busy. Here is the order. Kim, kim@mistral.example',
  ],
  [
    'Fax an Ihre Nummer',
    'Das Fax konnte nicht gesendet werden, die Nummer ist besetzt. Stimmt sie?',
  ],
  ['Read: your offer', 'I read it on the train. Your offer is good, please call me on Monday.'],
  [
    'Accusé de réception de votre commande',
    'Nous avons bien reçu votre commande, que notre directeur a lue hier. Merci de confirmer le prix.',
  ],
  ['Empfangsbestätigung', 'Hiermit bestätige ich den Empfang Ihrer Muster. Sie gefallen uns.'],
  // With the address of somebody else on a line of its own
  ['Undeliverable again', 'bo@kobalt.example: please take over, my mailbox is full until Monday.'],
  [
    'Delivery to our branch failed',
    'The driver left. Message from the depot: it was returned. Ask\n\nbo@wisla.example: he has the key.',
  ],
  [
    'Mail not delivered',
    'ana@halden.example: this was the address I used, is it right? I got 550 back.',
  ],
  [
    'Fehler bei der Lieferung',
    'Die Lieferung wurde abgewiesen, die Annahme verweigert. Rückfragen bitte an\n\nspedition@wisla.example',
  ],
  [
    'Fehler bei der Rechnung',
    'Die Rechnung wurde abgelehnt. Bitte an\n\nbuchhaltung@wisla.example',
  ],
  [
    'Message non lu',
    'Votre message est arrivé hier, merci. Il a été refusé par le service des achats :\n\nbo@wisla.example',
  ],
  [
    'Mensaje no contestado',
    'Mi mensaje del lunes no ha sido contestado. Puede escribir también a\n\nbo@wisla.example',
  ],
  [
    'Mensagem não lida',
    'Bom dia, a proposta foi rejeitada pela direção. Fale com\n\nbo@wisla.example',
  ],
  [
    'Wiadomość nie dotarła',
    'Oferta została odrzucona przez zarząd. Proszę pisać do\n\nbo@wisla.example',
  ],
  ['Zwrot 12 palet', 'Towar wrócił, dostawa została odrzucona. Kontakt:\n\nmagazyn@wisla.example'],
  ['Сообщение не получил', 'Ваше предложение отклонено. Пишите на\n\nbo@wisla.example'],
  [
    'Sipariş teslim edilemedi',
    'Palet depoya teslim edilemedi, kapı kapalıydı. Lütfen arayın:\n\ndepo@wisla.example',
  ],
  ['送信エラー', '昨日のFAXが届きませんでした。こちらへお願いします。\n\nfax@wisla.example'],
  ['发送失败', '传真没有收到，请发到\n\nbo@wisla.example'],
  // Under names that programs and abuse desks have as well
  [
    'Cold rooms for our samples',
    'We need -80 C. The last order was rejected by the ministry.',
    'Virus Research Lab <lab@mistral.example>',
  ],
  [
    'Cold rooms',
    'We run a shelter. Your mail looked like spam but we want it.\n\n> From: Ana <ana@halden.example>\n> Subject: Cold rooms',
    'Kim Lee <abuse-prevention@lantern.example>',
  ],
  [
    'Kim is out of the office',
    'Kim is out of the office until 5 December; call me instead. Bo',
    'Reception <reception@lantern.example>',
  ],
  // Absences
  [
    'Our buyer is out of the office',
    'Ana, our buyer is on vacation until 5 December, I decide in the meantime. What does it cost?',
  ],
  ['Away from my mail next week', 'Can we talk before that? I would like to see the prices.'],
  ['Your auto response', 'Your auto response says you are on leave. When can we talk?'],
  [
    'Please confirm your message of Monday',
    'Could you confirm the price of Monday? My boss wants it in writing before we order.',
  ],
  ...saidInFields,
]

/** Every one as an answer to our letter, and without anything that says which letter it answers. */
export const business = (): BusinessSample[] =>
  said.flatMap(([subject, text, address], n) =>
    [true, false].map((answers): BusinessSample => {
      const letter = letterOf(`business ${n}`)
      const head = [
        `From: ${address ?? `Kim Lee <${letter.to}>`}`,
        `To: Ana Ruiz <${letter.from}>`,
        `Subject: ${encodedWord(subject)}`,
        `Message-ID: <business-${n}@azahar.example>`,
        answers ? `In-Reply-To: ${letter.id}` : '',
        answers ? '' : `Return-Path: <${letter.to}>`,
      ]
      const encoding = n % 2 === 0 ? 'base64' : 'quoted-printable'
      const body = partOf({ type: 'text/plain', charset: 'utf-8', encoding, text: `${text}\n` })
      return {
        name: `"${subject}"${answers ? ', as an answer' : ''}`,
        raw: mailOf(head, body),
        answers,
      }
    }),
  )
