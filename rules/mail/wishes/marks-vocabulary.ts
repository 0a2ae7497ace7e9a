// Phrases of clients that show what a conversation is about, in English, German, Spanish, French, Italian, Portuguese and
// Russian. Lower case; accents do not count. A phrase consists of whole words; `*` stands for any ending, `_` for up to three
// words.

export type Wish = 'unsubscribe' | 'not_interested' | 'interested'

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

/** Intents that single phrases show. Wishes need more than that: ./wishes reads them. */
export const phrases: [Exclude<Intent, 'other' | Wish>, string][] = [
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
