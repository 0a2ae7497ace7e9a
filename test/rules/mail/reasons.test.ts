import { deepEqual, equal } from 'node:assert/strict'
import { diagnose, reasonIn, reasonOfServer } from '../../../rules/mail/reports/diagnosis.ts'
import { isTitleOfBounce } from '../../../rules/mail/reports/titles.ts'

describe('the reason of a server', () => {
  const reasons: [says: string, code: string][] = [
    ["Le nom du destinataire n'est pas reconnu", '5.1.1'],
    ['Benutzer Uwe Schaller nicht im öffentlichen Adressbuch aufgeführt', '5.1.1'],
    ['Alasan: Alamat email tidak ditemukan', '5.1.1'],
    ['Địa chỉ này không tồn tại', '5.1.1'],
    ['المستخدم غير موجود', '5.1.1'],
    ['کاربر گیرنده در این سرور وجود ندارد', '5.1.1'],
    ['הכתובת לא קיימת', '5.1.1'],
    ['Η διεύθυνση δεν υπάρχει', '5.1.1'],
    ['Adresa nu există', '5.1.1'],
    ['Адреса не існує', '5.1.1'],
    ['User has moved; please try <kim@client.example>', '5.1.6'],
    ['Hiba oka: a címzett postafiókja megtelt', '5.2.2'],
    ['صندوق بريد المستلم ممتلئ', '5.2.2'],
    ['Kotak surat penuh', '5.2.2'],
    ['Postboksen er full', '5.2.2'],
    ['添付ファイルのサイズ制限を超えているため', '5.3.4'],
    ['Nur Mitglieder dürfen auf dieser Liste schreiben', '5.7.1'],
    ['Der Benutzer Kim.Lee (kim.lee@client.example) ist hier nicht eingerichtet', '5.1.1'],
    ['weil es den Empfänger kim@client.example auf diesem Server nicht gibt', '5.1.1'],
    ['Die Adresse kim@client.example existiert auf diesem System nicht mehr', '5.1.1'],
    ['Kein Postfach für die Adresse kim@client.example gefunden', '5.1.1'],
    ["L'utilisateur Kim Lee (kim@client.example) ne figure pas dans l'annuaire", '5.1.1'],
    ['El usuario Kim Lee (kim@client.example) no figura en el directorio', '5.1.1'],
    ["L'utente Kim Lee (kim@client.example) non è presente nella rubrica", '5.1.1'],
    ['O usuário Kim Lee (kim@client.example) não consta do diretório', '5.1.1'],
    ['ユーザー kim.lee.of.the.cold.rooms@client.example がディレクトリにありません', '5.1.1'],
    ['4155550100@client.example is not a valid messaging address', '5.1.1'],
    ['Diagnostic: Unrecognised O/R name (0)', '5.1.1'],
    ['The user kim is not set up on this server', '5.1.1'],
    ['kim@client.example: account canceled', '5.2.1'],
    ['All mailboxes of the firm have been closed', '5.2.1'],
    ['The host client.example could not be found', '5.1.2'],
    ['The domain client.example does not seem to be registered', '5.1.2'],
    ['The account has reached its limit of space', '5.2.2'],
    ['Η θυρίδα του παραλήπτη έχει ξεπεράσει το μέγεθος', '5.2.2'],
    ['Die Nachricht überschreitet die zulässige Größe', '5.3.4'],
    ['Le message dépasse la taille maximale', '5.3.4'],
    ['Domain us.example has exceeded the max emails per hour (71/70) allowed', '4.7.1'],
    ['Domain us.example has exceeded the max defers and failures per hour', '4.7.1'],
    ['Administrative prohibition', '5.7.1'],
    ['Recipient address rejected: Access denied', '5.1.1'],
    ['Ip frequency limited', '4.7.1'],
    ['You are not authorized to send mail to the FRUIT list', '5.7.1'],
    ['The host is not authorized to send as us.example', '5.7.26'],
    ['The subscriber is not provisioned for pictures', '5.1.1'],
    ["The recipient's destination e-mail system is unknown here", '5.1.2'],
    ['Denied [CS] [71.0.1] (Mode: normal)', '5.7.1'],
    ['lowest numbered MX record points to local host', '5.4.6'],
    ['Child process of local_delivery returned 71', '5.3.0'],
    ['client.example: no response', '4.4.1'],
    ['Deferred: Connection refused by mx.client.example', '4.4.1'],
    ['The connection to mx.client.example failed: (110: Connection timed out)', '4.4.1'],
    ['Refused by our rules', '5.7.1'],
    ['4155550100@mms.client.example: invalid subscriber', '5.1.1'],
    ['Message has been in the queue for 5 days', '4.4.7'],
    ['kim@client.example is not a valid mailbox here', '5.1.1'],
    ['Mailbox kim is not set up on this host', '5.1.1'],
    ['The account has been cancelled', '5.2.1'],
    ['Benutzer Kim Lee (kim@client.example) nicht im Domino-Verzeichnis aufgeführt', '5.1.1'],
    ['Der Empfänger steht nicht in unserem zentralen Adressverzeichnis', '5.1.1'],
    ['Your mailbox has reached its maximum', '5.2.2'],
    ['The account has reached its maximum size.', '5.2.2'],
  ]
  for (const [says, code] of reasons)
    it(`is ${code}: ${says}`, () => equal(reasonOfServer(says), code))

  it('is permanent only where the address does not work', () => {
    const isPermanent = (says: string) => diagnose(undefined, [says]).permanent
    deepEqual(['Alamat tidak ditemukan', 'Kotak surat penuh', 'Nur Mitglieder'].map(isPermanent), [
      true,
      false,
      false,
    ])
  })

  it('is no dead address where a server speaks of something else', () => {
    for (const says of [
      'The address of your server is not set up in the DNS',
      'The recipient is not set up for sending to you',
      'The user has cancelled the meeting',
      'The account of the sender: delivery was cancelled',
      'Der Empfänger konnte nicht zugestellt werden, siehe Verzeichnis der Fehler',
      'Das Postfach konnte sein Verzeichnis nicht sperren',
      'Your account has reached its limit of mails for today',
      'A mail from ana@us.example, which is not a valid address',
    ])
      equal(reasonOfServer(says), undefined, says)
  })

  it('is a policy where a server speaks of who sends', () => {
    for (const says of [
      'Sender address ana@us.example is not a valid address',
      'MAIL FROM <ana@us.example> is not a valid address',
      'us.example is not a valid HELO address',
      'us.example is not a valid address to relay from',
      'The return path is not a valid address',
    ])
      deepEqual(diagnose(undefined, [`550 ${says}`]), { code: '5.7.1', permanent: false }, says)
  })

  it('is a policy where a server says no more than that it refuses', () => {
    const refusals = ['Mail is rejected by recipients', 'Message refused', 'Connection denied']
    for (const says of [...refusals, 'HELO name is invalid']) {
      equal(reasonOfServer(says), undefined)
      deepEqual(diagnose(undefined, [`550 ${says}`]), { code: '5.7.1', permanent: false })
    }
  })

  it('is none in what people write', () => {
    for (const says of [
      'Kim moved to Berlin',
      'Wir haben Ihre Adresse in unser Adressbuch aufgenommen',
      'No response to this mail is needed',
      'Alamat ini tidak ada respons dari server',
      'تعذر تسليم البريد لأنه لا يوجد اتصال بالخادم',
    ])
      equal(reasonIn(says), undefined)
  })
})

describe('the title of a bounce', () => {
  it('may have the tag of a filter or a list before it', () => {
    for (const tag of ['*****SPAM***** ', '{Spam?} ', '[Office] ', '*** '])
      deepEqual([tag, isTitleOfBounce(`${tag}Undelivered Mail Returned`)], [tag, true])
  })

  it('is none where somebody asks', () => {
    equal(isTitleOfBounce('*****SPAM***** Undelivered mail?'), false)
  })
})
