import { patternOf, sentencesOf } from '../phrases.ts'
import { interestInJapanese } from './japanese.ts'
import { others } from './unsubscribe-vocabulary.ts'

// Whether somebody refuses an offer or takes it up. The same words say both: "interested" and what denies it.

// How people refuse an offer or take it up, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Russian.
// The form is that of ./phrases.ts.

const declining = `not for us | not a fit | not a good fit | no thanks | no thank you | not at this time | we already have | we are happy with
  (don't/do not/don't really/don't currently) need | (we'll/i'll/we will/i will/going to/have to) pass . | (must/have to/politely/respectfully) decline | not in the market for | not looking for (this/that/it/anything) | ^ (no)? not at (the moment/this moment/this point) (thanks/thank you)? $
  no need (for) (it/this/that/your) | ^ (thanks/thank you)? (but)? not (right)? now $ | (thanks/thank you) but no (thanks)? $ | not (interesting/relevant) (for/to) (us/me)
  kein bedarf | keinen bedarf | nein danke | nein vielen dank | (sind/bin) _ (versorgt) $ | danke nein | nicht fur uns | nicht (interessant/relevant) fur (uns/mich) | brauchen wir nicht | nicht benotigt | bereits versorgt | lehnen _ dankend ab | verzichten dankend
  (brauchen/benotigen) (das/es) _ nicht | kommt _ nicht in frage | (haben/sehen) _ keine verwendung
  no gracias | no muchas gracias | no (lo/la)? necesitamos | no es para nosotros | no nos hace falta | (por ahora/de momento) no $
  pas besoin | non merci | (ne/pas) donner* (pas)? suite | pas pour nous
  no grazie | non ci serve | non ne abbiamo bisogno | non abbiamo bisogno | non fa per noi
  nao obrigad* | nao muito obrigad* | nao precisamos | nao e para nos | nao temos necessidade | (por enquanto/no momento/de momento) nao $
  nee bedankt | nee dank (u/je) | nee hoor | (bedankt/dank u) maar nee | geen behoefte | niet voor ons | (hebben/heb) _ niet nodig | zien (hiervan/hier van/er van/daarvan) af | al voorzien
  nie dziekuj* | (dziekuj*/podziekuj*) ale nie $ | dziekuje nie $ | nie skorzystam* | nie potrzebujemy | nie mamy (takiej)? potrzeby | to nie dla nas | nie dla nas
  не интересно | не интересует | не заинтересован* | не актуально | неактуально | нет необходимости`

/** What looks like a refusal and is none. */
const notDeclining = `you (don't/do not) need | (don't/do not) need to | pas besoin de (vous/t'*/nous) | no thanks needed | bin nicht (sicher/abgeneigt) | nein danke ich (sage/sagte)`

/** Interest, of which each may be denied. */
const wanting = `interested | (sounds/looks) (very)? (good/great/interesting) | tell me more | send me more | more information | more details | would like to know more | would love to | keen to | count us in | let's do it
  interessiert | interesse | (klingt/hort sich) (sehr)? (gut/interessant/spannend) | mehr informationen | mehr dazu | weitere informationen | gerne mehr
  me interesa | nos interesa | (estamos/estoy/estaria/estariamos) _ interesad* | (tengo/tenemos) _ interes | suena bien | mas informacion
  interesse | interessee | interesses | interessees | ca m'interesse | (m'interesse/nous interesse) | plus d'informations | en savoir plus
  mi interessa | ci interessa | interessat* | (ho/abbiamo) interesse | maggiori informazioni | piu informazioni
  tenho interesse | temos interesse | interessad* | interessa-me | interessa-nos | mais informacoes
  geinteresseerd | belangstelling | (interesseert) (ons/mij/me) | klinkt (heel)? (goed/interessant) | meer informatie | vertel (me/mij/ons) meer | graag meer
  zainteresowan* | interesuje (nas/mnie) | (nas/mnie) interesuje | brzmi (dobrze/ciekawie/interesujaco) | wiecej informacji | wiecej szczegolow
  интересно | интересует | заинтересован* | расскажите подробнее`

/** Interest that is denied, by a word before it in its clause or behind it. */
const denying = `(not/never/no longer/neither/nor/hardly/isn't/aren't/wasn't/weren't/don't/won't/wouldn't/ain't) _ interested | (no/zero/without) (real/further/great/particular/current/any)? interest | (don't/do not/not) _ have _ interest
  (not/doesn't/don't/does not/do not) _ interest (us/me)
  (nicht/nie/kaum/weder) _ (interessiert/interessieren) | (kein/keine/keinerlei/ohne/null) _ interesse | (interessiert/interessieren) (uns/mich) _ nicht | nicht _ interesse
  (pas/plus/guere/nullement/aucunement/jamais) _ interesse* | (pas/aucun/sans/peu) _ (d'interet/interet) | (ne/n') _ (m'interesse/nous interesse/m'interessent/nous interessent)
  (no/ningun/ninguna/sin/tampoco/nunca/poco) _ (interes/interesa/interesan/interesad*) | (non/nessun/neanche/nessuna) _ (interess*/l'interesse)
  (nao/nenhum/nenhuma/sem/nunca/tampouco) _ (interesse/interessa/interessad*) | (niet/nooit/geen/geenszins) _ (geinteresseerd/interesse/belangstelling/interessant) | interesseert (ons/mij/me) _ niet
  (nie/brak/bez/zadnego) _ (zainteresowan*/interesuje/interesuja)`

/** Words before or within denied interest that turn it around, or leave it open. */
const undenied = `(not/nicht/pas/no/non/nao/niet/nie) (only/just/merely/nur/bloss/seulement/uniquement/solo/solamente/soltanto/so/somente/apenas/alleen/slechts/tylko) | (not/nicht/pas/no/non/nao/niet/nie) (sure/know/yet known) | (not/never) (be/been) (more/so)
  (whether/if/ob/si/se/of/czy) | no (doubt/problem) | kein (zweifel/problem/thema) | (sans/aucun) (doute/probleme) | (sin/ninguna/sem/senza/zonder/bez) (duda/duvida/dubbio/twijfel/watpienia) | (rate*) | {others} _ (not/nicht/pas/no/non/nao/niet/nie/kein*/geen/ne/n'est/are/is/sont/sind/son/sono/sao/zijn/sa)`

/** Before interest in its clause: whose it is, or on what it depends. */
const askedOf = `(whether/ob/if/falls/wenn/sollten/si/se/caso/als/indien/mocht/jesli/jezeli/gdyby) __ $ | (are/were/would/will/might/could) you _ $ | you (are/might be/may be/would be/could be) _ $ | (sind/waren/haben/hatten/habt/seid) (sie/ihr) _ $ | (etes-vous/seriez-vous/avez-vous) _ $ | (estan/esta/estaria/tiene/tienen) (usted/ustedes) _ $ | (siete/avete) _ $
  (bent/heeft/hebt) (u/je/jullie) _ $ | czy _ $ | (im/in unserem/in ihrem/in eurem/nell'/nel/no nosso/de vosso) _ $`

const patterns = {
  declining: patternOf(declining),
  notDeclining: patternOf(notDeclining),
  wanting: patternOf(wanting),
  denying: patternOf(denying),
  undenied: patternOf(undenied, { others }),
  askedOf: patternOf(askedOf),
}

/** Whether a sentence, as `sentencesOf` gives it, refuses an offer. */
export const declines = (sentence: string): boolean =>
  (patterns.declining.test(sentence) && !patterns.notDeclining.test(sentence)) ||
  clausesOf(sentence).some(isDenied)

/** Whether somebody refuses an offer. */
export const declinesOffer = (text: string): boolean =>
  sentencesOf(text).some(declines) || interestInJapanese(text) === 'declined'

/** Whether somebody takes an offer up. */
export const isInterested = (text: string): boolean =>
  sentencesOf(text).flatMap(clausesOf).some(wants) || interestInJapanese(text) === 'interested'

/** A comma ends what a word denies: "no, we are interested". */
const clausesOf = (sentence: string) => sentence.split(/, ?/)

const isDenied = (clause: string) =>
  patterns.denying.test(clause) && !patterns.undenied.test(clause)

function wants(clause: string): boolean {
  const found = patterns.wanting.exec(clause)
  if (!found) return false
  const before = clause.slice(0, found.index)
  return !patterns.askedOf.test(before) && (!patterns.denying.test(clause) || isMore(clause))
}

// "Not only interested" denies nothing.
const isMore = (clause: string) => more.test(clause)
const more = patternOf(
  '(only/just/nur/bloss/seulement/solo/solamente/soltanto/somente/apenas/alleen/tylko) | (never) (been)? (more/so) | (nie) (mehr/so) | no doubt | (kein) zweifel | (sans/sin/senza/sem/zonder/bez) (aucun/ninguna/nessun)? (doute/duda/dubbio/duvida/twijfel/watpienia)',
)
