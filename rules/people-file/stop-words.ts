import { plainHeading } from './plain-heading.ts'

// How exports of address books, CRMs and newsletters say that somebody must not be written to. In a phrase, * stands for any
// letters at the end of a word.

const listOf = (words: string) =>
  words
    .split(/[,|]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** Words as they are compared here: "E-mail", "e mail" and "email" are one. */
export const stopForm = (text: string): string =>
  plainHeading(text).replace(/(?<![\p{L}\p{N}])e (?=mail)/gu, 'e')

function formsOf(words: string): Set<string> {
  return new Set(listOf(words).map(stopForm))
}

/** An expression that finds one of the phrases as whole words in a plain text. */
function phrases(words: string, unspaced = ''): RegExp {
  const spaced = listOf(words).map((word) => {
    const [from, to] = [word.startsWith('*'), word.endsWith('*')]
    return `${from ? '[\\p{L}\\p{N}]*' : ''}${stopForm(word)}${to ? '[\\p{L}\\p{N}]*' : ''}`
  })
  const anywhere = listOf(unspaced).map((word) => `|${stopForm(word)}`)
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${spaced.join('|')})(?![\\p{L}\\p{N}])${anywhere.join('')}`,
    'u',
  )
}

/** In columns of their own, and as the words of a status: the person wants no letters. "E-mail" is written "email" here. */
const unsubscribed = `unsub, unsub*, optout, opt out, opts out, opted out, *optedout*, emailoptout, do not email, do not mail, do not write, do not message,
  do not contact, do not send, do not disturb, do not market, do not bulk, do not allow email*, do not allow bulk*, donotemail*, donotbulk*, donotsend*, donotcontact, dont email, don t email, don t contact, don t mail,
  cannot email, can t email, cannot contact,
  cannot be contacted, cannot be emailed, not contactable, not mailable, not emailable, not be contacted, not be emailed, uncontactable,
  unmailable, non mailable, no email, no emails, no mail, no mails, no mailing*, no newsletter*, no marketing email*, no marketing mail*,
  no marketing communication*, no further contact, no further email*, no more contact, no more email*, no more mail*, no more letters,
  no more newsletter*, removed on, removed at, marketing suspended, email suspended, stop email*, stop mail*, stop contact*, dnd, suppress, suppressed, suppression*, block listed, blocklist*,
  black listed, blacklist*, denylist*, email blocked, robinsonlist*, robinson list*, deactivated, exclude from*, excluded from*, *excludedfrom*, blocked,
  no bulk*, remove from*, deceased |
  abgemeldet*, abmeldung, deaktiviert*, abmeldedatum, ausgetragen, abbestell*, werbesperre, werbeverbot, werbestopp, mailsperre, email sperre,
  kontaktsperre, versandsperre, mailingsperre, sperrvermerk, gesperrt, werbewiderspruch, widerspruch, widersprochen, keine werbung,
  keine email, keine emails, kein emailversand, kein versand, keine zusendung*, keine mails, keine newsletter, kein newsletter, kein kontakt mehr,
  kein kontakt erwunscht, kein kontakt gewunscht, nicht kontaktieren, nicht angeschrieben werden, nicht kontaktiert werden,
  nicht anschreiben, nicht mailen, sperrliste, kein mailing,
  keine mailings, mailing sperre, werbung nicht, nicht mehr anschreiben, nicht mehr kontaktieren, nicht erlaubt, verstorben |
  desabonne*, desinscri*, ne pas contacter, ne plus contacter, ne pas envoyer, ne pas ecrire, ne pas solliciter, ne pas demarcher, ne pas relancer, liste noire, stop pub, refuse les*, ne souhaite plus, ne veut plus |
  dado de baja, de baja, dada de baja, baja voluntaria, fecha de baja, fecha baja, cancelo su*, suscripcion cancelada, no molestar, no mandar, no contactar, no enviar, no escribir, lista negra, desuscri*, no desea*, no quiere* |
  descadastra*, assinatura cancelada, nao contactar, nao contatar, nao enviar, inscricao cancelada, subscricao cancelada, cancelou*, recusa*, nao deseja*, nao quer* |
  disiscri*, annullata iscrizione, iscrizione annullata, annullamento iscrizione, non contattare, non inviare, non scrivere, lista nera, non desidera*, non vuole* | uitgeschreven, uitschrijving, afgemeld, afmelding, niet mailen,
  niet contacteren, niet benaderen, geen mail, geen mails, geen email, geen emails, geen mailing*, geen reclame, geen nieuwsbrief, geblokkeerd |
  wypisan*, wyrejestrowan*, zrezygnowa*, rezygnacja, nie kontaktowac, nie wysylac, sprzeciw, czarna lista, brak zgody |
  avregistrera*, avprenumerera*, kontakta ej, nej tack, nej tak, nei takk, frabedt*, avmeldt, afmeldt, frameldt, kontakt ikke, ma ikke kontaktes, reklamsparr,
  onsker ikke*, vill inte*, vill ej* |
  odhlasen*, nekontaktovat, nezasilat | abonelikten cik*, iletisim kurma* |
  отписан*, отписал*, отписка, не писать, не беспокоить, не отправлять, черный список, отказ*, не хочет* | відписан*, відписав*, не турбувати, не писати |
  suoramarkkinointikielto, markkinointikielto | leiratkoz* | dezabon* | διαγραφηκ*, απεγγραφ*`
/** The same in scripts that write no blanks between words. */
const unsubscribedUnspaced =
  '退订, 退訂, 取消订阅, 取消訂閱, 拒收, 黑名单, 配信停止, 配信解除, 退会, 配信拒否, オプトアウト, 수신거부, 수신 거부, 구독취소, 구독 취소'

/** The same as a whole heading or cell alone: among other words they mean something else, as in "Baja California". */
export const wholeUnsubscribed: ReadonlySet<string> =
  formsOf(`baja, bajas, opposition, opposed, refus, robinson, no marketing, dnm, dne, excluido,
  excluida, exclu, bezwaar`)
/** As a heading, a wish; in a cell, "No contact" may mean that nobody has written yet. */
export const unsubscribedHeadings: ReadonlySet<string> = formsOf(
  'no contact, kein kontakt, keine kontaktaufnahme',
)
/** As a cell. */
export const unsubscribedCells: ReadonlySet<string> = formsOf(
  'stop, nein danke, no thanks, no gracias, non merci, no grazie',
)
const seeming =
  `address\\p{L}*|adresse\\p{L}*|found|gefunden|sent|opened|yet|made|budget|team|manager|response|repl\\p{L}*|so far|info\\p{L}*|
  details?|available|known|bekannt|vorhanden|hinterlegt|person|history|data|on file|listed|given|bisher`.replace(
    /\n */g,
    '',
  )
/** What only begins as such words do: nobody has written yet, or there is nothing to write to. */
export const seemsUnsubscribed: RegExp = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:no|not|keine?|kein) (?:emails?|contacts?|mails?|newsletters?|kontakt) (?:${seeming})(?![\\p{L}\\p{N}])`,
  'gu',
)

const bounced = `bounce*, bounced, hardbounce*, hard bounce*, isemailbounced, email cleaned, clean time, clean campaign*, invalid email*,
  email invalid, undeliverable, non deliverable | unzustellbar*, gebounc*, nicht zustellbar, npai, zustellfehler, rucklaufer | rebond*, non delivrable*,
  adresse invalide | rebote, rebotado*, devuelto | devolvido, retornado | rimbalz* | onbestelbaar, niet bezorgbaar | odbicie, odbity |
  studsad*, avvist | недоставлен*, не доставлен*, отскок*`

const complained = `complained, spam complaint*, spam report*, marked as spam, reported as spam, report spam, reported spam, abuse report*,
  email complaint* | als spam*, spambeschwerde* | signale comme spam, plainte spam | marcado como spam | segnalato come spam`

/** What answers yes or no to the question whether the person may be written to. */
const consent = `consent*, opt in, opted in, optin, double opt in, gdpr, dsgvo, rgpd, lopd, accepts marketing, accepts email marketing, accepts email*,
  marketing permission*, email permission*, permission to email*, permission to contact*, permission to market*, permission to mail*,
  permission to send*, ok to email*, ok to contact*, ok to mail*, okay to email*, okay to contact*, may we email*, may we contact*, can we email*, can we contact*,
  agree to receive*, agrees to receive*, agreed to receive*, i agree, email ok, subscribed, newsletter, newsletters, newsletter subscription,
  newsletter subscriber, email subscriber, is subscribed, email allowed, emails allowed, may contact, can contact, can email, can be emailed, allow email*,
  allow bulk*, mailable, contactable, emailable, allow marketing, allows marketing, allows email*,
  marketing allowed, can receive*, receives email*, receives newsletter*,
  receives mail*, receives marketing*, receives communication*, wants email*, wants newsletter*, wants mail*, wants marketing*, wants to receive* | einwilligung*, einverst*, durfen wir*, durfen sie*, email werbung, emailwerbung, erlaubnis*, zustimmung, kontakt per email, werbeeinwilligung, newsletteranmeldung, darf kontaktiert werden,
  kontakt erlaubt, werbung erlaubt, werbeerlaubnis, mailing erlaubt, email erlaubt | consentement*, accord rgpd, accepte les emails, accepte de recevoir, accepte la newsletter, accepte la prospection,
  autorisation*, abonne, inscrit |
  consentimiento*, suscrito, acepta publicidad, acepta marketing, acepta emails, acepta recibir, acepta comunicaciones, autoriza* | consentimento*, inscrito, aceita marketing, aceita emails, aceita receber |
  consenso*, iscritto | toestemming*, mag gemaild worden, ingeschreven, nieuwsbrief | zgoda* | samtycke*, nyhetsbrev | samtykke*, nyhedsbrev | souhlas* |
  markkinointilupa, suoramarkkinointilupa | hozzajarulas* | consimtamant* | συγκαταθεση* | onay, izin*, iletisim izni | согласие*, подписан, рассылка | згода*`

/** The same as a whole heading alone: "Mailing country" is about something else. */
export const consentHeadings: ReadonlySet<string> = formsOf(
  'mailing, mailings, subscriber, werbung, permission, marketing, reklame, publicidad, pubblicita',
)

/** Columns whose words say whether the person is mailed. */
const status = `email status, marketingstatus, mail status, marketing status, email marketing status, subscription status, subscription,
  subscription state, subscriber status, email marketing, marketing emails, newsletter status, mailing status, email state, email subscription status, email permission status,
  consent status, opt in status, unsubscribe status,
  email verification status, email validation status, zb status | mailstatus, newsletterstatus, abo status | statut email, statut mail, statut d abonnement |
  estado de email, estado del suscriptor, estado de suscripcion | stato email, stato iscrizione | статус подписки`
/** Columns whose words may say it among much else. */
const watched = `status, member status, membership status, contact status, lead status, customer status, person status, list status,
  marketing contact status, lifecycle stage, stage, state, state of contact, reason, preference, preferences, contact preference,
  contact preferences, communication preference, communication preferences, preferred contact method, email preference, email preferences, tag, tags, label, labels, group, groups, list, lists, segment,
  segments, category, categories, group membership | kontaktstatus, kundenstatus, gruppe, gruppen, kategorie, kategorien, schlagworte, etiketten |
  statut, etiquettes, groupes | estado, etiquetas, grupos, categorias | stato, etichette, gruppi, categorie | situacao | groepen, labels | stan, etykiety | stav |
  durum | статус, метки, теги | 状态, ステータス`

export const saysUnsubscribed: RegExp = phrases(unsubscribed, unsubscribedUnspaced)
export const saysBounced: RegExp = phrases(bounced)
export const saysComplained: RegExp = phrases(complained)
export const asksConsent: RegExp = phrases(
  consent,
  '同意, 订阅, 訂閱, 配信, メルマガ, 수신동의, 수신 동의',
)
export const statusHeadings: ReadonlySet<string> = formsOf(status)
export const watchedHeadings: ReadonlySet<string> = formsOf(watched)

/** No in the cell of a column that asks anything. */
const no = `no, n, false, f, 0, off, nein, nee, falsch, onwaar, non, faux, falso, nao, nie, falsz, nej, nei, ne, nepravda, hayir, yanlis, ei, nem, nu, οχι,
  нет, ложь, ні, не, 否, いいえ, 不要, 아니오, 아니요, לא, لا`
export const plainNo: ReadonlySet<string> = formsOf(no)
/** The same, and that somebody has taken it back, or never said yes. */
export const noWords: ReadonlySet<string> =
  formsOf(`${no}, not given, not granted, not subscribed, non subscribed, nonsubscribed, never subscribed,
  no consent, not consented, withdrawn, revoked, denied, declined, rejected, refused, nicht erteilt, nicht angemeldet, widerrufen, abgelehnt, verweigert,
  keine einwilligung, refuse, retire, pas de consentement, denegado, rechazado, sin consentimiento, negado, recusado, sem consentimento,
  negato, rifiutato, revocato, geweigerd, ingetrokken, geen toestemming, odmowa, brak zgody, nekad, отказ, отозвано, 希望しない, 不同意, 拒否`)
/** Yes in such a cell. */
export const yesWords: ReadonlySet<string> =
  formsOf(`yes, true, y, ja, oui, si, sim, tak, ano, evet, да, так, wahr, waar, vrai, vero, verdadero,
  subscribed, unsubscribed, opted in, granted, erteilt, angemeldet`)
/** With these, what somebody has given is taken back, whatever else the cell says. */
export const saysWithdrawn: RegExp =
  phrases(`withdrawn, revoked, refused, denied, declined, widerrufen, zuruckgezogen, abgelehnt, verweigert,
  retire, revoque, refuse, revocado, rechazado, revogado, recusado, revocato, rifiutato, ingetrokken, geweigerd, wycofan*, отозван*`)
/** What means in such a column that nothing is known. */
export const emptyWords: ReadonlySet<string> =
  formsOf(`none, null, nil, nan, n a, na, undefined, unknown, not set, never, unbekannt, kein, keine, leer,
  aucun, aucune, ninguno, nessuno, geen, brak, 无, なし, 00 00 0000, 0000 00 00, 0000 00 00 00 00 00, 0 0`)
/** What says in a column of those who have unsubscribed that this person has not. */
export const allowedWords: ReadonlySet<string> =
  formsOf(`subscribed, opted in, opt in, in, allow, allowed, confirmed, resubscribed, angemeldet, erlaubt,
  abonniert, abonne, suscrito, inscrito, iscritto, ingeschreven, zapisany, подписан, valid, ok, deliverable, delivered, verified, inactive, disabled,
  zustellbar, gultig`)
