import { listed } from '../phrases.ts'

// Failure in the words of any server; a person may use them too. By language, so that one that is missing is seen.

const byLanguage = {
  english: `could not be delivered | couldn't be delivered | was not delivered | wasn't delivered | has not been delivered
    cannot be delivered | can not be delivered | not be delivered | unable to deliver | could not deliver | couldn't be sent
    couldn't deliver | cannot deliver | delivery failed | delivery has failed | delivery failure | failed to deliver
    failure notice | failed permanently | did not reach | could not be sent | was returned | has been returned
    message has been rejected | has been blocked | was blocked | blocked from delivery | was rejected | been rejected
    automatically rejected | has stopped the following | undeliverable | undelivered | undeliverd | non-delivery
    nondelivery | nondeliverable | non-deliverable | returned to sender | returned mail | mail system error
    message failure | permanent error | rejected recipient | recipient rejected | user unknown | unknown user
    no such user | mailbox full | mailbox is full | over quota | quota exceeded | user not found | invalid recipient
    recipient not found | account is disabled | account disabled | host unknown | unknown host | domain not found
    was not sent because | was refused because | has been refused | is not distributed | was not stored | not been stored
    has been quarantined | was quarantined | has been discarded | was discarded | hard bounce | soft bounce
    rejected posting | non-member submission | not authorized to send | not allowed to post | was not posted
    exceeds the maximum size | a virus was found | contained a virus | contains a virus | infected message
    has not delivered | was not accepted by | is currently removed
    message is currently purged | message is currently deleted | message is currently quarantined`,
  german: `nicht erreicht | unzustellbar | benutzer unbekannt | empfänger unbekannt | nicht zugestellt
    nicht zustellbar | e-mail nicht zustellen | mail nicht zustellen | nachricht nicht zustellen
    adressen nicht zustellen | empfänger nicht zustellen | auslieferung der e-mail wurde gestoppt
    zustellung der e-mail wurde gestoppt | listenadministrator abgelehnt | nicht übertragen | nicht übermittelt
    wurde abgewiesen | wurde abgelehnt | annahme verweigert | wurde zurückgewiesen | zustellung fehlgeschlagen
    wurde blockiert | nicht als sms zugestellt | virus gefunden | enthielt einen virus | enthält einen virus`,
  french: `n'a pas pu être remis | n'a pas pu être délivré | n'a pu être remis | n'a pas pu être distribué
    n'a pas pu être envoyé | n'a pas été remis | n'a pas été délivré | n'a pu être délivré
    n'a pu être distribué | n'a pu être livré | n'a pu être transmis | n'a pu être acheminé
    n'a pas pu être acheminé | n'a pas pu être transmis | n'a pas pu être livré | n'a pas été distribué
    non remis | non distribué | non distribuable | échec de la remise | échec de remise | échec de livraison
    a été rejeté | a été refusé | a été bloqué | utilisateur inconnu | virus a été trouvé | virus a été détecté
    contient un virus`,
  spanish: `no se pudo entregar | no se puede entregar | no se ha podido entregar | no pudo ser entregado
    no ha podido ser entregado | no ha sido entregado | no fue entregado | no se ha entregado
    no se pudo enviar | no llegó a | ha sido rechazado | fue rechazado | ha sido devuelto | fue devuelto
    ha sido bloqueado | fue bloqueado | usuario desconocido | contiene un virus | detectado un virus
    encontrado un virus`,
  italian: `non è stato recapitato | non è stato consegnato | non può essere consegnato | non può essere recapitato
    non è stato possibile consegnare | non è stato possibile recapitare | mancato recapito | mancata consegna
    impossibile consegnare | impossibile recapitare | è stato rifiutato | è stato respinto | è stato bloccato
    utente sconosciuto | contiene un virus | trovato un virus | rilevato un virus`,
  portuguese: `não pôde ser entregue | não pode ser entregue | não foi entregue | não foi possível entregar
    não foi possível enviar | falha na entrega | foi rejeitada | foi recusada | foi devolvida | foi bloqueada
    contém vírus | contém um vírus`,
  dutch: `kon niet worden afgeleverd | kon niet worden bezorgd | kan niet worden bezorgd
    kan niet worden afgeleverd | niet bezorgd | niet afgeleverd | onbestelbaar | onbezorgbaar | is geweigerd
    is geblokkeerd | werd geweigerd | bevat een virus | virus gevonden`,
  polish: `nie może zostać dostarczona | nie została dostarczona | niedostarczon | nie mogła zostać dostarczona
    nie udało się dostarczyć | nie można dostarczyć | została odrzucona | została zablokowana`,
  czech: `nebylo možné doručit | nelze doručit | nebyla doručena | nemohla být doručena | se nepodařilo doručit
    nedoručiteln | byla odmítnuta | nie je možné doručiť | nebola doručená`,
  nordic: `kan ikke leveres | kunne ikke afleveres | ei voitu toimittaa | kunde inte skickas | kunne ikke levere
    kunne ikke sendes | kunde inte leverera | kan inte levereras | ble avvist | blev afvist | levererades inte
    ble ikke levert | blev ikke leveret`,
  hungarian: `nem kézbesíthet | nem sikerült kézbesíteni | nem tudtuk kézbesíteni | nem tudta kézbesíteni
    nem lehetett kézbesíteni | kézbesítése sikertelen`,
  turkish: `teslim edilemedi | teslim edilemiyor | iletilemedi | iletilemiyor | gönderilemedi | reddedildi`,
  others: `δεν παραδόθηκε | δεν ήταν δυνατό να παραδοθεί | δεν μπόρεσε να παραδοθεί | δεν μπορεί να παραδοθεί
    δεν ήταν δυνατή η παράδοση | nu a putut fi livrat | nije isporučena | nije moguće isporučiti | לא ניתן למסור
    לא נמסר | لم يتم تسليم | تحویل داده نشد | تحویل نشد | قابل تحویل نیست | تعذر تسليم | không thể gửi
    tidak dapat dikirim | не може бути доставлен | не вдалося доставити`,
  russian: `не удалось доставить | не может быть доставлено | не было доставлено | не доставлено | не доставлен
    невозможно доставить | отклонено | заражено вирусом | заблокировано`,
  japanese: `配信できませんでした | 配信できない | 配信できません | 配送されませんでした | 配送できません
    送信できません | 送信できなかった | 送信されませんでした | 届きませんでした | 届けられません
    届けることができません | 届けることができなかった | 配信することができません | 送信することができません
    お届けできません | 受信を拒否 | 受信が拒否 | 受信拒否 | 受信できません | 未着 | 不達 | 宛先不明 | あて先不明
    存在しません`,
  chinese: `退信 | 无法投递 | 無法投遞 | 无法送达 | 無法送達 | 投递失败 | 投遞失敗 | 被退回 | 退回来了
    無法傳送 | 无法发送 | 发送失败 | 未能送达 | 被拒收 | 拒收此邮件 | 拒绝接收`,
  korean: `무배달 | 전송 실패 | 전송되지 못 | 배달하지 못 | 배달되지 못 | 반송되었 | 반송됩니다 | 전달되지 못
    발송되지 못 | 발송 실패 | 수신할 수 없습니다 | 수신이 거부 | 수신 거부되`,
}

export const failures: string[] = Object.values(byLanguage).flatMap(listed)
