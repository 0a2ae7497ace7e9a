import { listed } from '../phrases.ts'
import type { Family } from './family.ts'
import { gateways } from './gateways.ts'
import { providers } from './providers.ts'
import { unix } from './unix.ts'
import { windows } from './windows.ts'

// How the bounces of mail servers begin, and where the returned letter begins in them. Servers copy each other's words, so a
// bounce is read by those of all families at once.

export const families: Family[] = [...unix, ...windows, ...gateways, ...providers]

export const opens: string[] = [...new Set(families.flatMap((family) => family.opens))]
export const cuts: string[] = [...new Set(families.flatMap((family) => family.cuts ?? []))]

/** Failure in the words of any server; a person may use them too. */
export const failures: string[] =
  listed(`could not be delivered | couldn't be delivered | was not delivered | wasn't delivered | has not been delivered
      cannot be delivered | can not be delivered | not be delivered | unable to deliver | could not deliver | couldn't be sent
      couldn't deliver | cannot deliver | delivery failed | delivery has failed | delivery failure
      failed to deliver | failure notice | failed permanently | did not reach | could not be sent | was returned
      has been returned | message has been rejected | has been blocked | was blocked | blocked from delivery | was rejected | been rejected | automatically rejected
      has stopped the following | undeliverable | undelivered | undeliverd | non-delivery
      nondelivery | nondeliverable | non-deliverable | returned to sender | returned mail | mail system error
      message failure | permanent error | rejected recipient | recipient rejected | user unknown | unknown user
      no such user | no se pudo entregar | no se ha podido entregar | no pudo ser entregado
      no ha podido ser entregado | no se pudo enviar | n'a pas pu être remis | n'a pas pu être délivré
      n'a pu être remis | n'a pas pu être distribué | n'a pas pu être envoyé | non remis | non distribué
      non distribuable | échec de la remise | échec de remise | échec de livraison | non è stato recapitato
      non è stato consegnato | non può essere consegnato | non è stato possibile consegnare | mancato recapito
      mancata consegna | impossibile consegnare | não pôde ser entregue | não foi entregue
      não foi possível entregar | falha na entrega | kon niet worden afgeleverd | kon niet worden bezorgd
      niet bezorgd | niet afgeleverd | onbestelbaar | onbezorgbaar | nie może zostać dostarczona
      nie została dostarczona | niedostarczon | nie mogła zostać dostarczona | kunde inte levereras
      kunne ikke leveres | kunne ikke afleveres | ei voitu toimittaa | nebylo možné doručit | nem kézbesíthet
      teslim edilemedi | 无法投递 | 退信 | 无法送达 | 投递失败 | 무배달 | 전송 실패 | unzustellbar | 配信できませんでした
  no se puede entregar | no llegó a | n'a pas été remis | nicht erreicht | не удалось доставить | не может быть доставлено | 配信できない | 配信できません
      送信できません | 送信できなかった | 届きませんでした | 被退回 | 無法傳送 | 无法发送 | 전송되지 못 | 배달하지 못
  mailbox full | mailbox is full | over quota | quota exceeded | user not found | invalid recipient | recipient not found
  account is disabled | account disabled | host unknown | unknown host | domain not found | benutzer unbekannt
  empfänger unbekannt | utilisateur inconnu | usuario desconocido | utente sconosciuto | 宛先不明 | あて先不明 | 存在しません`)

/** The server still tries. */
export const delays: string[] =
  listed(`delivery delayed | delivery is delayed | delivery has been delayed | delivery status notification (delay)
      message delayed | has been delayed | has not yet been delivered | not been delivered yet
      not yet been delivered | still undelivered after | will continue to try | will keep trying | will be retried
      will retry | will try again | still being retried | still trying | gmail will retry
      you do not need to resend | you don't need to resend | do not need to resend your message
      no action is required on your part | this is a warning message only | warning message only
      transient non-fatal errors | could not send message for past | zustellung verzögert
      zustellung verzögert sich | verzögerte zustellung | remise différée | remise retardée
      remise du message est retardée | entrega retrasada | consegna ritardata | entrega atrasada
      bezorging is vertraagd | bezorging vertraagd | opóźnion | 配信が遅れ | 配信遅延`)

/** The letter has arrived. */
export const successes: string[] =
  listed(`delivery status notification (success) | delivery to these recipients or groups is complete
      your message has been delivered to the following recipients | delivery status notification (relay) | successfully delivered
      was successfully relayed | delivered successfully | delivery was successful | erfolgreich zugestellt
      return receipt | successful delivery notifications`)

/** The server has stopped trying, whatever else its text says. */
export const ends: string[] =
  listed(`permanent error | permanent fatal | permanent failure | failed permanently | has failed | delivery failed
      delivery failure | given up | giving up | gave up | no further | undeliverable | expired | not successfully
      returned to sender`)
