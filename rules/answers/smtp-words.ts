import { listed } from '../mail/phrases.ts'

// The words of mail servers about the account that sends. Providers word the same thing differently and change their words, so
// what they have in common is looked for: a limit, that it is exceeded, and that it is one of sending. All are in small letters,
// as `oneLine` leaves them.
//
// Read for them: Gmail (support.google.com/a/answer/3726730), Exchange Online and Outlook.com (learn.microsoft.com, "Email
// non-delivery reports in Exchange Online"), Amazon SES (docs.aws.amazon.com/ses, "Errors related to the sending quotas"), Zoho
// (zoho.com/zeptomail/help, "SMTP error codes"), SendGrid (twilio.com/docs/sendgrid, "SMTP errors"), IONOS (ionos.com/help, "mass
// mailing limits"), StartMail, authSMTP (error 433), cPanel ("max emails per hour", "max defers and failures"), Plesk ("limit on
// the number of allowed outgoing messages"), DirectAdmin ("reached your message limit"), Exim (ratelimit), Postfix (anvil, policyd,
// postfwd: "message count quota exceeded"), Sendmail ("too many connections", "sender thread limit").

/** What may be exceeded. */
export const limits =
  listed(`limit | quota | messages per | recipients per | emails per | mails per | threshold | allowance | allotment | maximum | max | ceiling | number of messages
  number of emails | number of e-mails | number of mails | number of recipients | credits | contingent | kontingent | obergrenze
  höchstzahl | höchstmenge | anzahl | límite | cuota | cupo | número máximo | limiet | лимит | 上限 | 制限`)

/** That it is. */
export const exceeded =
  listed(`exceed | reached | reaching | over | surpass | hit your | hit the | used up | exhausted | too many
  too much | depleted | above | violat | überschritten | überschreit | erreicht | ausgeschöpft | aufgebraucht | zu viele | zuviele
  dépass | atteint | épuisé | trop de | excedid | excedió | superad | supera | sobrepas | alcanzad | demasiad | superat | raggiunt
  esaurit | troppi | troppe | ultrapass | atingi | excedeu | esgotad | overschreden | bereikt | te veel | przekrocz | osiągn
  překroč | dosažen | превыш | достиг | 超え | 超過 | 達し`)

/** That it is one of sending, and no room in a mailbox. */
export const sendings =
  listed(`send | sent | outgoing | outbound | submission | submit | relay | daily | hourly | monthly | per hour
  per day | per minute | per second | per month | an hour | a day | /hour | /day | /h) | 24 hour | 24-hour | 24h | hours | in one hour
  message limit | mail limit | email limit | e-mail limit | messages limit | message quota | mail quota | email quota | e-mail quota
  message count | mails per | emails per | messages per | recipients per | recipient rate | recipient limit | rate
  quotidien | you have exceeded | you've exceeded | you exceeded | you have reached | you've reached | you reached | your account | your domain
  your daily | your quota | your limit | your plan | this user | this sender | this account | smtp | messages allowed
  versand | versend | gesendet | verschick | sendelimit | täglich | tageslimit | tages | stündlich | stundenlimit | pro stunde | pro tag
  postausgang | envoi | envoy | journali | par jour | par heure | horaire | envío | envia | enviad | diari | por día | por hora
  invio | inviat | inviar | giornalier | al giorno | all'ora | orari | por dia | verzend | verzonden | per uur | per dag | dagelijks
  wysył | dzienn | na godzinę | odesíl | odesla | denní | отправ | 送信`)

/** A day or more is meant. */
export const ofDays =
  listed(`daily | per day | a day | /day | 24 hour | 24-hour | 24h | 24 std | 24 stunden | today | tomorrow | monthly | per month
  quota | credits | täglich | tageslimit | tages | pro tag | heute | journali | par jour | quotidien | diari | por día | por dia
  giornalier | al giorno | dagelijks | per dag | dzienn | denní | день | суточн | 24時間 | 1日`)

/** Less than a day is meant. */
export const ofHours =
  listed(`hourly | per hour | an hour | one hour | /hour | /h) | per minute | per second | a minute | a second | /min | /sec | /s)
  rate | too fast | too quickly | throttl | slow down | burst | stündlich | stundenlimit | pro stunde | pro minute | par heure
  par minute | horaire | por hora | por minuto | all'ora | al minuto | orari | per uur | per minuut | na godzinę | час | 1時間`)

/** Too much in too short a time, by itself. */
export const tooFast =
  listed(`throttl | rate limit | rate-limit | ratelimit | rate limited | too fast | too quickly | slow down | too frequent
  too many messages | too many emails | too many e-mails | too many mails | too many login | too many auth | too many failed
  sending rate | submission rate | message rate | unusual rate | flood | zu schnell | zu viele nachrichten | zu viele e-mails
  zu viele mails | zuviele mails | trop vite | trop rapide | trop de messages | trop d'e-mails | demasiado rápido
  demasiados mensajes | demasiados correos | troppo veloce | troppi messaggi | muitas mensagens | te snel | te veel berichten`)

/** Too many sessions at once. */
export const tooManySessions =
  listed(`too many connections | too many concurrent | too many simultaneous | too many parallel | too many sessions
  too many open | too many smtp | concurrent connection | concurrent session | concurrent smtp | simultaneous connection
  simultaneous session | parallel connection | connection limit | connections limit | session limit | sessions limit
  maximum connections | maximum number of connections | max connections | max. connections | connection count
  number of concurrent | number of simultaneous | sender thread limit | connections from your | connections per
  connection rate limit | zu viele verbindungen | zuviele verbindungen | gleichzeitige | parallele verbindung
  verbindungslimit | trop de connexions | connexions simultan | demasiadas conexiones | conexiones simult | troppe connessioni
  connessioni simult | conexões simult | te veel verbindingen | 同時接続`)

/** Only this session has carried enough: a fresh one goes on at once. */
export const ofSession =
  listed(`per session | per connection | in this session | in one session | in a session | in this connection | in one connection
  this smtp session | single session | single connection`)

/** The account may not send as the address that it names. */
export const notAsSender =
  listed(`send as this sender | send as this user | send as denied | sendasdenied | send-as | permissions to send | permission to send
  not allowed to send | not permitted to send | not authorized to send | not authorised to send | not allowed to use
  may not send | cannot send as | can't send as | not owned by | not own | unauthorized sender | sender address rejected
  sender address not | sender address is not | sender rejected | sender denied | sender not | sender is not
  sender verify failed | sender domain | invalid sender | bad sender | unverified sender | sender refused | relaying disallowed as
  from address | from: address | from header | from domain | email address is not verified | address not verified
  not verified | not a verified | verified sender | verify your domain | unregistered domain | sender identity
  does not match the authenticated | does not match authenticated | does not match your | must match the | must be the same as
  mismatched sender | sender mismatch | envelope sender | return path | return-path | spf check failed | spf fail | fails spf
  dmarc | unauthenticated email | relay access denied | relaying denied | unable to relay | relay not permitted | relay denied
  relaying not | relaying is | not permitted to relay | not allowed to relay | not relay | relay is not
  absender | versenderadresse | expéditeur | remitente | mittente | remetente | afzender | nadawc | odesílatel | отправител
  adresse d'expédition | im namen | au nom de | en nombre de`)

/** Of one recipient, whom not everybody may write to. */
export const toRecipient =
  listed(`send to | send mail to | send messages to | send email to | send e-mail to | sending to | post to | mail to this
  restricted to | members only | an diese | à ce destinataire | a este destinatario`)

/** The provider has stopped what the account sends. */
export const stopped =
  listed(`sending disabled | sending is disabled | sending has been | sending suspended | sending is suspended | sending paused
  sending is paused | sending is blocked | sending blocked | blocked from sending | disabled from sending | prevented from sending
  suspended from sending | ability to send | sending privilege | sending rights | outgoing mail block | outgoing mail is | outgoing mail from
  outgoing mail has | outgoing email | outgoing messages are | outgoing is | outbound mail is | outbound block | bad outbound sender
  outbound spam | unusual sending | unusual activity from | sender address blocked | sender blocked | sender is blocked | banned sender
  tenant has exceeded | tenant is blocked | traffic not accepted | possible abuse | sender restrictions | smtp access is | smtp access has
  smtp is disabled | smtp disabled | smtp service is not | smtp auth is | smtpclientauthentication | not enabled for smtp
  your account has been | your account is | your domain has been | your domain is | your mailbox has been | your mailbox is
  versand gesperrt | versand ist | versand wurde | postausgang gesperrt | ihr konto | ihr postfach wurde | ihr postfach ist
  envoi bloqué | envoi suspendu | envois bloqués | votre compte | envío bloqueado | envíos bloqueados | su cuenta | tu cuenta
  invio bloccato | il tuo account | il suo account | sua conta | uw account | je account`)

/** The account is disabled: whose, does not follow from the words. */
export const disabled =
  listed(`account disabled | account is disabled | account has been disabled | account suspended | account is suspended
  account has been suspended | account blocked | account is blocked | account has been blocked | account locked | account is locked
  account has been locked | account closed | account inactive | account is inactive | account paused | account restricted
  account is restricted | account has been restricted | account temporarily | user disabled | user is disabled | user suspended
  user is suspended | user is blocked | user blocked | domain suspended | domain is suspended | domain disabled | domain is disabled
  mailbox disabled | mailbox is disabled | mailbox suspended | suspended | compromised | suspicious | spam abuse | accountdisabled
  gesperrt | deaktiviert | suspendu | bloqué | désactivé | suspendid | bloquead | desactivad | sospes | bloccat | disabilitat
  geblokkeerd | opgeschort | zablokowan | заблокирован | 停止`)

/** Somebody has to pay first. */
export const unpaid =
  listed(`payment | unpaid | not paid | billing | invoice | overdue | past due | subscription | plan has expired | plan expired
  account has expired | account expired | account is expired | license expired | licence expired | credits expired | expired credits
  insufficient funds | insufficient credit | insufficient balance | no credit | out of credit | not enough credit | low balance
  trial has | trial expired | trial period | contract ended | bezahl | rechnung | guthaben | zahlung | vertrag | paiement | impay
  facture | abonnement | solde | pago | impag | factura | suscripción | saldo | pagament | fattura | abbonamento | scadut | fatura
  betaling | factuur | płatnoś | faktur | оплат`)

/** The server wants a login that it has not had. */
export const loginWanted =
  listed(`authentication required | authentication is required | must authenticate | need to authenticate | authenticate first
  not authenticated | unauthenticated | smtp auth required | auth required | must issue a auth | log in first | login required
  please log in | must log in | credentials | anmeldung erforderlich | authentifizierung erforderlich | authentification requise
  autenticación requerida | autenticazione richiesta`)

/** They speak of the mailbox of the recipient, or of room in it. */
export const ofRecipient =
  listed(`you are trying to contact | you tried to contact | that you tried to reach | you are trying to reach | recipient's
  recipient mailbox | recipient thread limit | recipient is over | recipient over | recipient has exceeded | recipient's mailbox
  recipient storage | user is over | user over quota | is over quota | over disk quota | mailbox full | mailbox is full | inbox is full
  mailbox has exceeded | mailbox quota | mailbox size | mailbox over | mailbox storage | storage | disk quota | disk space
  receiving mail | being received | postfach voll | postfach ist voll | postfach des | speicherplatz | boîte pleine
  boîte de réception | boite aux lettres | boîte aux lettres | buzón | casella | caixa de | postvak`)

/** They speak of the size of the letter. */
export const ofSize =
  listed(`message size | size limit | size exceeds | message too large | message is too large | too big | mail too large
  maximum size | max size | maximum message | message exceeds | message length | octets | bytes | attachment | nachrichtengröße
  nachricht zu groß | nachricht ist zu groß | zu groß | trop volumineux | taille | tamaño | dimensione | tamanho | te groot`)
