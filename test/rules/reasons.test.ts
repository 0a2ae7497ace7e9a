import { deepEqual, equal } from 'node:assert/strict'
import { diagnose, reasonIn } from '../../rules/reports/diagnosis.ts'

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
    ['client.example: no response', '4.4.1'],
    ['Deferred: Connection refused by mx.client.example', '4.4.1'],
    ['The connection to mx.client.example failed: (110: Connection timed out)', '4.4.1'],
    ['Refused by our rules', '5.7.1'],
    ['4155550100@mms.client.example: invalid subscriber', '5.1.1'],
    ['Message has been in the queue for 5 days', '4.4.7'],
  ]
  for (const [says, code] of reasons) it(`is ${code}: ${says}`, () => equal(reasonIn(says), code))

  it('is permanent only where the address does not work', () => {
    const isPermanent = (says: string) => diagnose(undefined, [says]).permanent
    deepEqual(['Alamat tidak ditemukan', 'Kotak surat penuh', 'Nur Mitglieder'].map(isPermanent), [
      true,
      false,
      false,
    ])
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
