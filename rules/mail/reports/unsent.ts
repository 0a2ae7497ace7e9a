import { unquoted } from './people.ts'
import { folded, hasOne, listed } from './phrases.ts'

/** What programs for lists and faxes say of what they have not sent on; people say it of goods and offers, too. */
const unsent =
  listed(`not accepted | not been accepted | not distributed | not been distributed | not posted | not been posted
  not approved | not been approved | was rejected | been rejected | was denied | been denied | did not go through
  failed because | could not be completed | nicht versendet | nicht gesendet | nicht verschickt | nicht angenommen
  nicht verteilt | nicht veröffentlicht | abgelehnt | zurückgewiesen | fehlgeschlagen | pas été diffusé | pas pu être diffusé
  pas été accepté | pas été envoyé | automatiquement rejeté | a échoué | no ha sido aceptado | no fue aceptado
  no ha sido enviado | no se ha enviado | no ha sido distribuido | rechazado automáticamente | ha fallado
  non è stato accettato | non è stato inviato | non è stato distribuito | non è stato possibile inviare
  automaticamente rifiutat | automaticamente respint | não foi aceita | não foi enviad | não foi distribuíd
  automaticamente rejeitad | falhou | niet geaccepteerd | niet verzonden | niet verspreid | automatisch geweigerd | is mislukt
  nie została przyjęta | nie została wysłana | nie udało się wysłać | automatycznie odrzucon | nebyla přijata
  nebyla odeslána | se nepodařilo odeslat | automaticky odmítn | автоматически отклонен | не принято | не отправлен
  не удалось отправить | accepterades inte | ble ikke sendt | blev ikke sendt | kunne ikke sendes | kunde inte sändas`)
const sent = listed(
  `mail | message | posting | article | fax | facsimile | sms | mms | nachricht | beitrag | courriel | mensaje | correo
  messaggio | mensagem | bericht | wiadomoś | zpráv | besked | melding | meddelande | письм | сообщени`,
)
const opening = 700

/** Whether such a program says first that it has not sent a letter on. */
export function saysUnsent(subject: string, said: string): boolean {
  const words = folded(`${subject}\n${unquoted(said).slice(0, opening)}`)
  return hasOne(words, unsent) && hasOne(words, sent)
}
