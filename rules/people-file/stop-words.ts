import { plainHeading } from './plain-heading.ts'

// How exports of address books, CRMs and newsletters say that somebody must not be written to. In a phrase, * stands for any
// letters at the end of a word.

/** In columns of their own, and as the words of a status: the person wants no letters. */
const unsubscribed = `unsub, unsub*, optout, opt out, opts out, opted out, *optedout*, emailoptout, do not email, do not e mail, do not mail,
  do not contact, do not send, do not disturb, do not market, do not bulk, do not allow email*, do not allow e mail*,
  do not allow bulk*, donotemail*, donotbulk*, donotsend*, donotcontact, dont email, don t email, don t contact, don t mail,
  no email, no emails, no mailing*, no newsletter*, no marketing, no contact, dnd, suppressed, suppression*, block listed, blocklist*,
  black listed, blacklist*, denylist*, email blocked, robinson*, deactivated, exclude from*, excluded from*, blocked,
  no bulk*, remove from*, deceased |
  abgemeldet*, abmeldung, abmeldedatum, ausgetragen, abbestell*, werbesperre, werbeverbot, werbestopp, mailsperre, e mail sperre, email sperre,
  kontaktsperre, versandsperre, mailingsperre, sperrvermerk, gesperrt, werbewiderspruch, widerspruch, widersprochen, keine werbung,
  keine e mail, keine e mails, keine email, keine emails, keine mails, keine newsletter, kein newsletter, kein kontakt, nicht kontaktieren,
  nicht anschreiben, nicht mailen, nicht kontaktiert, sperrliste, kein mailing,
  keine mailings, mailing sperre, werbung nicht, nicht mehr anschreiben, nicht mehr kontaktieren, nicht erlaubt, verstorben |
  desabonne*, desinscri*, ne pas contacter, ne plus contacter, ne pas envoyer, ne pas ecrire, liste noire, stop pub, opposition, refuse les*, ne souhaite plus, ne veut plus |
  dado de baja, de baja, baja, bajas, fecha de baja, no contactar, no enviar, no escribir, lista negra, desuscri*, no desea*, no quiere* |
  descadastra*, nao contactar, nao contatar, nao enviar, inscricao cancelada, subscricao cancelada, cancelou*, recusa*, nao deseja*, nao quer* |
  disiscri*, non contattare, non inviare, non scrivere, lista nera, non desidera*, non vuole* | uitgeschreven, uitschrijving, afgemeld, afmelding, niet mailen,
  niet contacteren, niet benaderen, geen mail, geen mails, geen reclame, geen nieuwsbrief, geblokkeerd |
  wypisan*, wyrejestrowan*, zrezygnowa*, rezygnacja, nie kontaktowac, nie wysylac, sprzeciw, czarna lista, brak zgody |
  avregistrera*, avprenumerera*, kontakta ej, avmeldt, afmeldt, frameldt, kontakt ikke, ma ikke kontaktes, reklamsparr,
  onsker ikke*, vill inte*, vill ej* |
  odhlasen*, nekontaktovat, nezasilat | abonelikten cik*, iletisim kurma* |
  отписан*, отписал*, отписка, не писать, не беспокоить, не отправлять, черный список, отказ*, не хочет* | відписан*, відписав*, не турбувати, не писати`
/** The same in scripts that write no blanks between words. */
const unsubscribedUnspaced =
  '退订, 退訂, 取消订阅, 取消訂閱, 拒收, 黑名单, 配信停止, 配信解除, 退会, 配信拒否, オプトアウト'

const bounced = `bounce*, bounced, hardbounce*, hard bounce*, isemailbounced, cleaned, clean time, clean campaign*, invalid email*,
  email invalid, undeliverable, non deliverable | unzustellbar*, nicht zustellbar, zustellfehler, rucklaufer | rebond*, non delivrable*,
  adresse invalide | rebote, rebotado*, devuelto | devolvido, retornado | rimbalz* | onbestelbaar, niet bezorgbaar | odbicie, odbity |
  studsad*, avvist | недоставлен*, не доставлен*, отскок*`

const complained = `complained, spam complaint*, spam report*, marked as spam, reported as spam, report spam, reported spam, abuse report*,
  email complaint* | als spam*, spambeschwerde* | signale comme spam, plainte spam | marcado como spam | segnalato come spam`

/** What answers yes or no to the question whether the person may be written to. */
const consent = `consent*, opt in, opted in, optin, double opt in, accepts marketing, accepts email marketing, accepts email*,
  marketing permission*, email permission*, permission to*, subscribed, newsletter, newsletters, newsletter subscription,
  newsletter subscriber, is subscribed, email allowed, emails allowed, may contact, can contact, can email, can be emailed, allow email*,
  allow bulk*, mailable, contactable, emailable, allow marketing, allows marketing, allows email*,
  marketing allowed, can receive*, receives*, wants* | einwilligung*, zustimmung, werbeeinwilligung, newsletteranmeldung, darf kontaktiert werden,
  kontakt erlaubt, werbung erlaubt, werbeerlaubnis, mailing erlaubt | consentement*, accord rgpd, accepte les emails, accepte de recevoir, abonne, inscrit |
  consentimiento*, suscrito, acepta publicidad, acepta marketing, acepta emails, acepta recibir | consentimento*, inscrito, aceita marketing, aceita emails, aceita receber |
  consenso*, iscritto | toestemming*, ingeschreven, nieuwsbrief | zgoda* | samtycke*, nyhetsbrev | samtykke*, nyhedsbrev | souhlas* |
  onay, izin*, iletisim izni | согласие*, подписан, рассылка | згода*`

/** Columns whose words say whether the person is mailed. */
const status = `email status, e mail status, mail status, marketing status, email marketing status, subscription status, subscription,
  subscription state, subscriber status, newsletter status, mailing status, email state, email subscription status, email permission status,
  consent status, opt in status, unsubscribe status,
  email verification status, email validation status, zb status | mailstatus, newsletterstatus, abo status | statut email, statut d abonnement |
  estado de email, estado del suscriptor, estado de suscripcion | stato email, stato iscrizione | статус подписки`
/** Columns whose words may say it among much else. */
const watched = `status, member status, membership status, contact status, lead status, customer status, person status, list status,
  marketing contact status, lifecycle stage, stage, state of contact, reason, tag, tags, label, labels, group, groups, list, lists, segment,
  segments, category, categories, group membership | kontaktstatus, kundenstatus, gruppe, gruppen, kategorie, kategorien, schlagworte, etiketten |
  statut, etiquettes, groupes | estado, etiquetas, grupos | stato, etichette, gruppi | situacao | groepen, labels | stan, etykiety | stav |
  durum | статус, метки, теги | 状态, ステータス`

const listOf = (words: string) =>
  words
    .split(/[,|]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** An expression that finds one of the phrases as whole words in a plain text. */
function phrases(words: string, unspaced = ''): RegExp {
  const spaced = listOf(words).map((word) => {
    const [from, to] = [word.startsWith('*'), word.endsWith('*')]
    return `${from ? '[\\p{L}\\p{N}]*' : ''}${plainHeading(word)}${to ? '[\\p{L}\\p{N}]*' : ''}`
  })
  const anywhere = listOf(unspaced).map((word) => `|${plainHeading(word)}`)
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${spaced.join('|')})(?![\\p{L}\\p{N}])${anywhere.join('')}`,
    'u',
  )
}

export const saysUnsubscribed: RegExp = phrases(unsubscribed, unsubscribedUnspaced)
export const saysBounced: RegExp = phrases(bounced)
export const saysComplained: RegExp = phrases(complained)
export const asksConsent: RegExp = phrases(consent, '同意, 订阅, 訂閱, 配信')
export const statusHeadings: ReadonlySet<string> = new Set(listOf(status).map(plainHeading))
export const watchedHeadings: ReadonlySet<string> = new Set(listOf(watched).map(plainHeading))

/** No in the cell of a column that asks anything. */
export const noWords: ReadonlySet<string> = new Set(
  listOf(`no, n, false, f, 0, off, nein, nee, falsch, non, faux, falso, nao, nie, falsz, nej, nei, ne, nepravda, hayir, yanlis,
    нет, ложь, ні, не, 否, いいえ, not given, not granted, not subscribed, non subscribed, nonsubscribed, never subscribed, no consent,
    withdrawn, revoked, denied, declined, rejected, refused, nicht erteilt, nicht angemeldet, widerrufen, abgelehnt, verweigert,
    keine einwilligung, refuse, retire, pas de consentement, denegado, rechazado, sin consentimiento, negado, recusado, sem consentimento,
    negato, rifiutato, revocato, geweigerd, ingetrokken, geen toestemming, odmowa, brak zgody, nekad, отказ, отозвано`).map(
    plainHeading,
  ),
)
/** What means in such a column that nothing is known. */
export const emptyWords: ReadonlySet<string> = new Set(
  listOf(`none, null, nil, nan, n a, na, undefined, unknown, not set, never, unbekannt, kein, keine, leer, aucun, aucune, ninguno, nessuno,
    geen, brak, 无, なし, 00 00 0000, 0000 00 00, 0000 00 00 00 00 00, 0 0`).map(plainHeading),
)
/** What says in a column of those who have unsubscribed that this person has not. */
export const allowedWords: ReadonlySet<string> = new Set(
  listOf(`subscribed, opted in, opt in, allow, allowed, confirmed, resubscribed, angemeldet, erlaubt, abonniert, abonne, suscrito, inscrito,
    iscritto, ingeschreven, zapisany, подписан, valid, ok, deliverable, delivered, verified, inactive, disabled, zustellbar, gultig`).map(
    plainHeading,
  ),
)
