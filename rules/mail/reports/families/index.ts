import { listed } from '../phrases.ts'
import type { Family } from './family.ts'
import { gateways } from './gateways.ts'
import { lists } from './lists.ts'
import { providers } from './providers.ts'
import { unix } from './unix.ts'
import { windows } from './windows.ts'

// How the bounces of mail servers begin, and where the returned letter begins in them. Servers copy each other's words, so a
// bounce is read by those of all families at once.

export const families: Family[] = [...unix, ...windows, ...gateways, ...lists, ...providers]

export const opens: string[] = [...new Set(families.flatMap((family) => family.opens))]
export const cuts: string[] = [...new Set(families.flatMap((family) => family.cuts ?? []))]

/** The server still tries. */
export const delays: string[] =
  listed(`delivery status notification: delay | message is delayed | temporary failure report
      delivery delayed | delivery is delayed | delivery has been delayed
      delivery status notification (delay) | message delayed | has been delayed | has not yet been delivered
      not been delivered yet | not yet been delivered | still undelivered after | will continue to try
      has been postponed
      will keep trying | will be retried | will retry | will try again | still being retried | still trying
      has not yet been fully delivered | delivery attempts are still pending | gmail will retry
      you do not need to resend | you don't need to resend | do not need to resend your message
      no action is required on your part | this is a warning message only | warning message only
      transient non-fatal errors | could not send message for past | zustellung verzögert
      noch nicht zugestellt | versucht weiterhin
      zustellung verzögert sich | verzögerte zustellung | remise différée | remise retardée
      remise du message est retardée | entrega retrasada | consegna ritardata | entrega atrasada
      bezorging is vertraagd | bezorging vertraagd | opóźnion | 配信が遅れ | 配信遅延`)

/** The letter has arrived. */
export const successes: string[] =
  listed(`delivery status notification (success) | delivery to these recipients or groups is complete
      your message has been delivered to the following recipients | delivery status notification (relay)
      successfully delivered | was successfully relayed | delivered successfully | delivery was successful
      erfolgreich zugestellt | return receipt | successful delivery notifications | successful mail delivery
      delivered with success | remis avec succès | distribué avec succès | entregado correctamente
      entregado con éxito | consegnato correttamente | consegnato con successo | entregue com sucesso
      succesvol bezorgd | succesvol afgeleverd | pomyślnie dostarczon | успешно доставлен | úspěšně doručen
      levererats utan fel | 正常に配信されました | 投递成功 | 成功送达`)

/** The server will try again by itself, whatever words of a failure stand next to it. */
export const retries: string[] =
  listed(`this is a temporary error | will be reattempted | will continue to attempt | delivery attempts will continue
      temporary failure report | do not need to re-send | do not need to resend | don't need to resend`)

/** The server has stopped trying, and says so itself. */
export const finals: string[] =
  listed(`permanent error | permanent fatal | permanent failure | failed permanently | given up | giving up | gave up
      no further attempt | no further deliver | no further tries | no further retr | expired | not successfully
      returned to sender | discarded`)

/** The server has stopped trying, as far as its words show it. */
export const ends: string[] = [
  ...finals,
  ...listed('has failed | delivery failed | delivery failure | undeliverable'),
]

/** The letter waits until its sender proves to be a person, or a moderator has read it: a program asks, and nothing has failed. */
export const holds: string[] =
  listed(`to release your message for delivery | complete the verification process | please confirm your message
      before your message can be delivered | to have your message delivered | your message is being held because
      is being held because the address | is being held until | awaits moderator approval
      added to my list of approved senders | held for moderation | awaiting approval by the moderator
      in order for your message to be delivered | confirm that you are a human | verify that you are a human
      para que sua mensagem seja | para que su mensaje sea entregado | damit ihre nachricht zugestellt
      pour que votre message soit | affinché il suo messaggio venga | waiting for approval
      waiting for moderation | pending approval by the moderator | forwarded to the moderator
      submitted to the moderator | wartet auf freigabe | wartet auf moderation | muss vom moderator
      en attente de modération | attend l'approbation du modérateur | pendiente de moderación
      pendiente de aprobación | in attesa di moderazione | in attesa di approvazione | aguarda moderação
      aguardando moderação | wacht op goedkeuring | oczekuje na moderację | oczekuje na zatwierdzenie
      ожидает модерации | ожидает одобрения | モデレーターの承認 | 等待管理员审核`)
