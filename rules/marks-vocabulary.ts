// Phrases of clients that show what a conversation is about, in English, German, Spanish, French, Italian, Portuguese and
// Russian. Lower case; accents do not count. A phrase consists of whole words; `*` stands for any ending, `_` for up to three
// words.

export type Intent =
  | 'quote'
  | 'question'
  | 'interested'
  | 'meeting'
  | 'not_interested'
  | 'complaint'
  | 'unsubscribe'
  | 'out_of_office'
  | 'other'

/** In the order in which they decide: a refusal that asks for a price is a refusal. */
export const phrases: [Exclude<Intent, 'other'>, string][] = [
  [
    'out_of_office',
    `out of office | out of the office | automatic reply | auto reply | autoreply | away from my desk | on annual leave
    on vacation until | on holiday until | on parental leave | limited access to my e-mail* | limited access to e-mail*
    abwesenheitsnotiz | automatische antwort | nicht im buro | nicht im haus | bin im urlaub | in elternzeit | abwesend bis
    fuera de la oficina | respuesta automatica | estoy de vacaciones | absente du bureau | absent du bureau | reponse automatique
    en conge* | fuori ufficio | risposta automatica | sono in ferie | fora do escritorio | resposta automatica | estou de ferias
    автоответ | автоматический ответ | в отпуске | нахожусь в командировке`,
  ],
  [
    'unsubscribe',
    `unsubscribe | opt me out | opt out | remove me | take me off | stop emailing | stop e-mailing | stop writing
    stop sending _ mail* | stop sending _ e-mail* | stop contacting | do not contact | don't contact | no more e-mails
    no more emails | abmelden | abbestellen | austragen | aus _ verteiler | keine weiteren mails | keine weiteren e-mails
    nicht mehr anschreiben | nicht mehr kontaktieren | darme de baja | dame de baja | no me escriba* | no me contacte*
    eliminenme | me desabonner | me desinscrire | desabonnez-moi | ne plus recevoir | ne me contactez plus | disiscriv*
    cancellami | cancellatemi | non contattatemi | descadastr* | remova-me | отпис* | отпиш* | не пишите | удалите меня`,
  ],
  [
    'complaint',
    `complaint | complain* | unacceptable | not acceptable | disappointed | refund | money back | does not work | doesn't work
    still not working | still broken | is broken | arrived damaged | never arrived | wrong invoice | legal action | terrible service
    beschwerde | beschweren | reklamation | reklamier* | inakzeptabel | enttauscht | unzufrieden | geld zuruck | erstattung
    funktioniert nicht | defekt* | mangelhaft | falsche rechnung | queja | reclamacion | reclamar | inaceptable
    decepcionad* | reembolso | no funciona | danad* | plainte | reclamation | inadmissible | decu* | remboursement
    ne fonctionne pas | ne marche pas | endommag* | reclamo | lamentela | inaccettabile | delus* | rimborso | non funziona
    danneggiat* | queixa | reclamacao | inaceitavel | nao funciona | жалоб* | претензи* | недовол* | не работает | верните деньги`,
  ],
  [
    'not_interested',
    `not interested | no interest | no longer interested | not for us | not a fit | not a good fit | no thanks | no thank you
    not at this time | we already have | we are happy with | don't need | do not need | kein interesse
    nicht interessiert | kein bedarf | keinen bedarf | nein danke | nicht fur uns | brauchen wir nicht | nicht benotigt
    bereits versorgt | no me interesa | no nos interesa | no estamos interesad* | no estoy interesad* | no gracias
    pas interesse* | pas d'interet | pas besoin | non merci | non sono interessat* | non siamo interessat* | non ci interessa
    non mi interessa | no grazie | sem interesse | nao tenho interesse | nao temos interesse | nao obrigad*
    не интересно | не интересует | не заинтересован* | не актуально | неактуально | нет необходимости`,
  ],
  [
    'meeting',
    `schedule a call | book a call | set up a call | have a call | arrange a call | jump on a call | give me a call | call me
    schedule a meeting | book a meeting | set up a meeting | arrange a meeting | let's meet | can we meet | could we meet | meet in person
    book a demo | arrange a demo | schedule a demo | a short call | free on | available on | video call | termin* | telefonat
    telefonieren | rufen sie mich | ruckruf | treffen wir uns | konnen wir uns treffen | besprechung | agendar _ llamada
    agendar _ reunion | programar _ reunion | una reunion | una llamada | llameme | nos vemos | fixer _ rendez-vous | un rendez-vous
    rendez-vous | une reunion | un appel | appelez-moi | un appuntamento | fissare _ appuntamento | una riunione | una chiamata
    mi chiami | marcar _ reuniao | uma reuniao | uma chamada | ligue-me | созвон* | встреч* | перезвоните | позвоните`,
  ],
  [
    'quote',
    `quote | quotation | offer | price | prices | pricing | price list | how much | cost | costs | estimate | rates | discount
    invoice me | angebot* | preis | preise | preisliste | preisanfrage | was kostet | wie viel kostet | kosten | kostenvoranschlag
    rabatt | konditionen | cotizacion | cotizar | presupuesto | precio | precios | cuanto cuesta | cuanto vale | tarifa*
    devis | prix | tarif | tarifs | combien coute | combien ca coute | preventivo | prezzo | prezzi | quanto costa | listino
    orcamento | preco | precos | quanto custa | cotacao | цена | цены | стоимость | сколько стоит | прайс* | расценки
    коммерческое предложение`,
  ],
  [
    'interested',
    `interested | sounds good | sounds great | sounds interesting | tell me more | send me more | more information | more details
    would like to know more | would love to | keen to | count us in | let's do it | interessiert | interesse | klingt gut
    klingt interessant | klingt spannend | mehr informationen | mehr dazu | weitere informationen | gerne mehr | me interesa
    nos interesa | estamos interesad* | estoy interesad* | suena bien | mas informacion | interesse* | ca m'interesse
    plus d'informations | en savoir plus | mi interessa | ci interessa | interessat* | maggiori informazioni | piu informazioni
    tenho interesse | temos interesse | interessad* | mais informacoes | интересно | интересует | заинтересован* | расскажите подробнее`,
  ],
  [
    'question',
    `question | questions | i wonder | wondering whether | could you tell | can you tell | please advise | please clarify
    frage | fragen | ich wollte fragen | konnen sie mir sagen | pregunta | preguntas | quisiera saber | question* | je voudrais savoir
    domanda | domande | vorrei sapere | pergunta | duvida | gostaria de saber | вопрос* | подскажите | уточните`,
  ],
]

export const urgent = `urgent | urgently | asap | as soon as possible | immediately | deadline | emergency | dringend
  eilt | sofort | so schnell wie moglich | umgehend | frist | notfall | urgente | urgentemente | cuanto antes | lo antes posible
  au plus vite | le plus vite possible | immediatement | il prima possibile | o mais rapido possivel | срочно
  как можно скорее | немедленно`

/** Phrases of mass mail that a person who asks to be taken off a list does not use. */
export const bulk = `to unsubscribe | click here | click below | unsubscribe here | unsubscribe link | unsubscribe from this
  manage _ preferences | view in browser | view in _ browser | view this email | view this e-mail | newsletter | no-reply
  noreply | do not reply | zum abmelden | hier abmelden | im browser ansehen | newsletter abmelden | para darse de baja
  ver en el navegador | se desabonner | pour vous desabonner | voir dans le navigateur | per disiscriverti | per cancellarti
  para cancelar a inscricao | чтобы отписаться | рассылк*`
