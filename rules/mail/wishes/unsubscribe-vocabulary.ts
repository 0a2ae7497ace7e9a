// How people ask for no more letters, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Russian. The
// form is that of ./phrases.ts: lower case, without accents, `email` for e-mail.

type Words = {
  parts?: Record<string, string>
  /** To be taken off a list: of something else, if a sentence names an event and no letters. */
  leaving: string
  /** To get no more letters, which the phrase names. */
  ending: string
}

export const asking: Words[] = [
  {
    parts: {
      mails:
        'mails/emails/messages/letters/newsletter/newsletters/communications/communication/spam/mailings/marketing/correspondence/solicitations',
      list: 'list/lists/database/mailings/records/distribution/newsletter/emails/mails',
      send: 'emailing/mailing/writing/writing to/contacting/spamming/messaging/bothering/harassing/pestering',
      leave:
        'unsubscribe/opt out/be unsubscribed/be removed/be taken off/be deleted/get off/unsubscribe from',
    },
    leaving: `unsubscribe (me/us) | unsubscribe (my/this/our) _ (email/mail/address/mailbox/inbox/account)
      (please/pls/kindly) unsubscribe | unsubscribe (please/pls) $ | ^ unsubscribe from (this/your/these/the/all)
      (i/we/i'd/we'd/i'm/we're/i've/would) _ (want/like/wish/need/love/asked/ask/asking/request/requesting/trying/tried/prefer/choose/rather) (to)? {leave}
      ^ (want/would like/wish) to {leave} | how (do/can/could/may/should) (i/we) _ {leave}
      opt (me/us) out | (i/we) opt out . | (i/we) (am/are) opting out | (remove/delete/erase/exclude) (me/us)
      (remove/delete/erase/exclude/lose/forget) (my/our/this) _ (email/address/name/details/contact/contacts/data/number) | (take/get) (me/us) off
      (removed/remove/took) (me/us/my name) (from/off) (your/this/the/all/any) _ {list} | cancel (my/our/this) subscription to _ {mails} | take (my/our) _ (email/address/name/company) off | (can't/cannot/can not) unsubscribe $`,
    ending: `(stop/quit/cease) {send} (me/us) | (please/pls/must/now/and/just) (stop/quit/cease) {send} . | ^ (stop/quit/cease) {send} .
      ^ (stop/quit/cease) sending $ | (stop/quit/cease) (sending/mailing) _ {mails} | (stop/quit/cease) sending (me/us)? (this/these/those/your/any/anything/stuff)
      please stop (these/this/your/the/all) _ {mails} | ^ stop (these/this/your/the/all) _ {mails} | (don't/dont/do not/never) (email/mail/write/write to/contact/message/spam/bother) (me/us)
      (please) (don't/do not) (contact/email) . | (do not/don't/never) (contact/email/write/reply/respond/get in touch) _ (again/any more/anymore/any longer) | cease and desist | (please/must) (cease/desist) .
      (don't/dont/do not/never) send (me/us)? _ (any/any more/more/further/these/such/your/anymore) {mails}
      (i/we) (don't/do not/no longer/never) (want/wish/need) (any/any more/more/your/these/such/further) _ {mails}
      (don't/do not/no longer/never) _ (want/wish/like/care) to (receive/get) (any/any more/more/your/these/such/further/this/those) _ {mails}
      (don't/do not/no longer/never) _ (want/wish/like/care) to (receive/get) {mails}
      (don't/do not/no longer/never) _ (want/wish/like/care) to (be contacted/be emailed/hear from you)
      (rather/prefer) (not/not to) (receive/get) _ {mails} | (not/aren't/isn't/no longer) interested in (receiving/getting) _ {mails} | (make sure/ensure) (that)? (i/we) (don't/do not/no longer) (receive/get) _ {mails} | ^ no more {mails}
      (please/want/wish/send/send me/send us) no (more/further) {mails} | no (more/further) {mails} (please/thanks/thank you)
      leave (me/us) alone | withdraw (my/our) consent`,
  },
  {
    parts: {
      mails:
        'mails/emails/mail/email/nachrichten/newsletter/werbemails/briefe/schreiben/zuschriften/spam/mailings/rundmails',
      list: 'verteiler/mailverteiler/emailverteiler/verteilerliste/liste/mailingliste/adressliste/datenbank/adressdatenbank/kartei/verteilern/listen/newsletter',
      out: 'nehmen/zu nehmen/entfernen/zu entfernen/streichen/zu streichen/loschen/zu loschen/austragen/auszutragen/genommen/gestrichen/entfernt/geloscht/raus/rausnehmen/herausnehmen/abmelden',
      address: 'adresse/emailadresse/mailadresse/email/kontaktdaten/daten/kontakt/namen',
    },
    leaving: `(melden/tragen) sie (bitte)? (mich/uns) __ (ab/aus) . | (melde/meldet/trag/trage/tragt) (mich/uns) __ (ab/aus) .
      (nehmen/streichen/entfernen/loschen/werfen) sie (bitte)? (mich/uns) __ (aus/von) _ {list} | (nimm/nehmt/streich/streiche/streicht) (mich/uns) __ (aus/von) _ {list}
      (melden/tragen/nehmen/streichen/entfernen/loschen/sperren) sie (bitte)? (meine/unsere/diese/meinen/unseren) _ {address}
      (mich/uns) __ (abmelden/abzumelden/austragen/auszutragen/abgemeldet werden/ausgetragen werden) | (bitte/hiermit) _ (abmelden/austragen)
      ich mochte (abgemeldet/ausgetragen/gestrichen/geloscht) werden | (aus/von) _ {list} {out} | bitte aus _ {list} | (mich/uns) __ aus _ {list}
      ^ aus (dem/ihrem/eurem/der/ihrer/eurer) {list} | (meine/unsere) _ {address} _ (loschen/entfernen/streichen/austragen/sperren)
      (ich/wir/bitte/mochte/mochten/will/wollen) __ {mails} _ (abbestellen/abzubestellen/abmelden/kundigen) | (ich/wir) (bestelle/bestellen) __ {mails} _ ab .
      (bitte/bitten/ersuche/ersuchen) um (die)? (loschung/streichung/austragung/entfernung/abmeldung) (meiner/unserer/aus/von/vom) | bitte (meine/unsere)? (adresse/emailadresse/mailadresse) (loschen/streichen/entfernen/austragen)
      (nehmt/nehmen sie/nimm/tut/tun sie/werft/streicht) (bitte)? (mich/uns) (bitte)? (da/hier/dort)? (raus/heraus/runter) . | bestellen sie (mich/uns) __ ab . | bestellen sie __ {mails} _ ab .`,
    ending: `(bitte/bitten/mochte/mochten/moechte/moechten/will/wollen/wunsche/wunschen/brauche/brauchen) __ (keine/keinerlei) (weiteren/weitere/solchen/solche/ihrer)? {mails} | ^ keine (weiteren/weitere)? {mails} (mehr/bitte/mehr bitte)? $
      (bitte/mochte/mochten/will/wollen/wunsche/wunschen) __ keine werbung (mehr)? (von ihnen/erhalten/bekommen/zusenden/schicken/senden)? . | keine weiteren (informationen/infos) _ (erhalten/bekommen/zusenden/zugesandt)
      keine (weiteren/weitere) {mails} (bitte/mehr bitte/erwunscht/gewunscht/senden/schicken/zusenden/zuschicken) | ich mochte keine {mails} | {mails} nicht (mehr)? erwunscht
      (schreiben/kontaktieren/mailen/senden/schicken/belastigen/schreib/schreibt/kontaktiere/kontaktiert/schick/schickt) (sie)? (bitte)? (mich/uns/mir) __ (nicht mehr/nicht wieder/nicht erneut/nie wieder/nie mehr/nicht langer/nichts mehr)
      (mochte/mochten/will/wollen/bitte) _ nicht (mehr/weiter/langer) _ (angeschrieben/kontaktiert/angemailt/belastigt/beworben) werden
      (senden/schicken/schick/schickt/sende/sendet) (sie)? (bitte)? (mir/uns) _ keine _ {mails}
      (mich/uns/mir/bitte) __ (nicht mehr/nie wieder/nicht weiter/nie mehr) _ (anschreiben/angeschrieben/kontaktieren/kontaktiert/anmailen/anzuschreiben/zu kontaktieren)
      (von) _ {mails} (abzusehen/absehen) | (unterlassen/stoppen/beenden) sie _ {mails} | widerspreche* __ (werbung/nutzung/verwendung/verarbeitung/zusendung) | widerrufe* __ einwilligung
      (lassen sie/lass/lasst) (mich/uns) _ in ruhe | ^ (bitte)? (keine/keinerlei) (weitere/weiteren)? (werbung/reklame/kontaktaufnahme/kontaktaufnahmen/zusendungen) (mehr/bitte/mehr bitte)? $ | (unterlassen sie/unterlasst/unterlasse) (bitte)? (das/dies/es) (kunftig/sofort/bitte)? $ | unterlassen sie (bitte)? (weitere/jede/jegliche) (werbung/kontakt*/anschreiben/zusendung*)
      ^ (bitte)? (mich/uns/mir)? nicht (mehr/weiter/wieder) (schreiben/anschreiben/kontaktieren/mailen/melden/belastigen) (bitte)? $ | (horen sie/hort/hor) (bitte/endlich/sofort)? auf _ (schreiben/mailen/belastigen/nerven/senden/schicken/anzuschreiben/{mails}/werbung) | (wunsche/wunschen/mochte/mochten/will/wollen) _ keinen (weiteren)? kontakt (mehr)? . | (nicht mehr/keine mehr) _ {mails} (erhalten/bekommen) (mochte/mochten/will/wollen)`,
  },
  {
    parts: {
      mails:
        'mails/emails/mail/email/courriels/messages/newsletter/newsletters/lettres/courriers/publicite/publicites/pub/pubs/sollicitations/prospection/communications/offres/infolettre/spams',
      list: 'liste/listes/fichier/fichiers/base/mailing/newsletter/diffusion/envois',
      want: 'souhaite/souhaitons/veux/voulons/desire/desirons/voudrais/voudrions/aimerais/aimerions',
    },
    leaving: `(me/nous) (desabonner/desinscrire) | (je me/nous nous) (desabonne/desinscris/desabonnons/desinscrivons)
      (desabonnez-moi/desabonnez-nous/desinscrivez-moi/desinscrivez-nous/desabonne-moi/desinscris-moi/desabonnez moi/desinscrivez moi)
      (retirez-moi/retirez-nous/supprimez-moi/enlevez-moi/rayez-moi/radiez-moi/otez-moi/effacez-moi/supprimez-nous/enlevez-nous) (de/des/du)
      (me/nous) (retirer/supprimer/enlever/rayer/radier/effacer) (de/des/du) _ {list} | (m'enlever/m'effacer/m'oter) (de/des/du) _ {list}
      (retirez/supprimez/enlevez/effacez/retirer/supprimer/enlever/effacer) (mon/mes/notre/nos/cette) _ (adresse/email/mail/coordonnees/donnees/nom/contact)
      (demande/demandons/{want}/merci/sollicite) _ (desinscription/desabonnement) | (ma/notre) (desinscription/desabonnement) | (merci de/priere de/veuillez) (me/nous) (retirer/supprimer/enlever/rayer/radier/effacer) .`,
    ending: `(ne/n') {want} (plus/pas) (du tout)? recevoir (de/vos/ces/des/d'autres/aucun/aucune/ce genre/tous) _ {mails} | (ne/n') {want} plus (rien/etre contacte*/etre sollicite*/etre demarche*)
      (ne/n') {want} (plus/pas) (etre)? (contacte*/sollicite*/demarche*) | (ne/n') {want} plus (de/d') _ {mails} | (ne/n') {want} plus (recevoir/etre destinataire) _ {mails}
      prefere* ne (plus/pas) recevoir _ {mails} | (merci de/priere de/veuillez/demande de/demande a/souhaite/souhaitons) ne plus _ (recevoir/envoyer/ecrire/contacter/solliciter/relancer/m'envoyer/m'ecrire)
      ne plus (m'envoyer/m'ecrire/me contacter/nous contacter/nous ecrire/nous envoyer/me solliciter/me relancer/nous solliciter)
      ne (me/nous) (contactez/ecrivez/sollicitez/relancez/envoyez/contacte/ecris/envoie/derangez) plus | ne (m'ecrivez/m'envoyez/m'ecris/m'envoie) plus | n'envoyez plus
      (arretez/cessez/arrete) (de/d') _ (m'envoyer/nous envoyer/m'ecrire/nous ecrire/me contacter/nous contacter/me spammer/me solliciter/nous solliciter/envoyer)
      (arretez/cessez/stoppez/cesser/arreter/stopper) (vos/ces/les) (envois/{mails}) | ^ (merci)? plus (de/aucun/d'autres) {mails} | (laissez-moi/laissez moi/laissez-nous) (tranquille/tranquilles/en paix) | (fichez-moi/fichez-nous/foutez-moi/foutez-nous) la paix | (cessez/arretez/cesser/arreter/stoppez) de (m'importuner/nous importuner/me deranger/nous deranger/m'ennuyer/me harceler/m'embeter) | (retire/retirons) (mon/notre) consentement`,
  },
  {
    parts: {
      mails:
        'correo/correos/mails/emails/email/mensajes/mensaje/newsletter/newsletters/boletin/boletines/publicidad/comunicaciones/comunicacion/cartas/spam',
      want: 'quiero/queremos/deseo/deseamos/quisiera/quisieramos/me gustaria/nos gustaria',
    },
    leaving: `(me/nos) (eliminen/elimineis/borren/borre/quiten/quite/saquen/saque/retiren/retire/elimine/bajen) de (la/su/sus/tu/vuestra/esta/todas) | (bajenme/bajeme/bajame)
      (darme/darnos/dame/danos/denme/dennos/deme/denos/dadme/dadnos/demen) _ de baja | (me/nos) (de/den/deis/das/dan/doy/damos) de baja | (me/nos) (podeis/puede/pueden/puedes/podria/podrian) dar de baja
      (solicito/solicitamos/pido/{want}/tramiten/tramitar) (la/mi/nuestra) baja | (dar/den/de) de baja (mi/nuestro/nuestra/este/esta) _ (correo/email/direccion/cuenta/suscripcion)
      (eliminenme/elimineme/eliminame/eliminadme/eliminarme/borrenme/borreme/borrame/borradme/borrarme/quitenme/quiteme/quitame/quitadme/quitarme/saquenme/saqueme/sacame/sacadme/sacarme/retirenme/retireme/retirarme/eliminennos/borrennos/quitennos/eliminarnos)
      (eliminar/borrar/quitar/retirar/eliminen/elimine/elimina/eliminad/borren/borre/borra/quiten/quite/quita) (mi/mis/nuestro/este) _ (correo/email/direccion/datos/contacto/nombre)
      (desuscribirme/desuscribeme/desuscribanme/desuscribame/desuscribirnos/desuscribannos/desuscribidme) | (cancelar/cancelen/cancele/anular/anulen) (mi/nuestra/la) suscripcion (a/al/de/del) _ {mails}`,
    ending: `no {want} (seguir)? (recibir/recibiendo/volver a recibir) (sus/sus/vuestros/tus/estos/mas/este/otros/ningun)? _ {mails} | no {want} (que me/que nos) _ (escriba*/envi*/contact*/mand*) | no {want} (mas/sus/vuestros/estos) {mails} | no {want} (recibir mas/ser contactad*)
      (dejen/dejad/deja/deje/paren/parad) de (enviar*/mandar*/escribir*/contactar*/molestar*) | (deje/dejen/dejad) de _ {mails} | no (me/nos) escriba* | no me contact* | no (nos) (contacten/contacte/contacteis)
      no (me/nos) (envie/envien/envies/envieis/mande/manden/mandes/mandeis) (mas/nada mas/este/estos/sus) | no (me/nos) (molesten/moleste/molestes/molesteis) mas | no (envien/envie/envieis/manden/mandeis) mas
      no (vuelva/vuelvan/volvais/vuelvas) a (escribirme/contactarme/enviarme/escribirnos/contactarnos/enviarnos) | ^ (por favor)? no mas {mails} | (dejenme/dejeme/dejadme/dejame/dejennos/dejadnos) (en paz/tranquilo/tranquila/tranquilos) | {want} dejar de recibir _ {mails} | retiro mi consentimiento`,
  },
  {
    parts: {
      mails:
        'mail/email/mails/emails/messaggi/newsletter/comunicazioni/lettere/pubblicita/posta/spam/messaggio',
      want: 'voglio/vogliamo/desidero/desideriamo/vorrei/vorremmo/intendo/intendiamo/gradisco/gradiamo',
      me: 'scrivetemi/scrivermi/scriveteci/scriverci/contattatemi/contattarmi/contattateci/contattarci/inviatemi/inviarmi/inviateci/inviarci/mandatemi/mandarmi/mandateci/mandarci/scrivimi/inviarmi',
    },
    leaving: `(disiscrivimi/disiscrivetemi/disiscriveteci/disiscrivermi/disiscriverci/disiscrivici) | (mi/ci) (disiscriva/disiscrivo/disiscriviamo/disiscriviate/disiscrivete/disiscrivano)
      (cancellami/cancellatemi/cancellateci/cancellarmi/toglietemi/toglimi/togliermi/toglieteci/rimuovimi/rimuovetemi/rimuovermi/rimuoveteci/eliminatemi/eliminami/eliminarmi/cancellarci/rimuoverci)
      (mi/ci) (cancelli/cancelliate/cancellate/tolga/togliate/togliete/rimuova/rimuoviate/rimuovete/elimini) (da/dal/dalla/dalle/dai) | (di) (cancellare/rimuovere/togliere/eliminare) (il mio/la mia/il nostro/la nostra/questo) _ (indirizzo/email/mail/iscrizione/contatto/nominativo)
      (cancella/cancelli/cancellate/rimuova/rimuovete/rimuovi/eliminate/elimini) (il mio/la mia/il nostro/la nostra/questo) _ (indirizzo/email/mail/iscrizione/contatto/nominativo)
      ({want}/chiedo/chiediamo/richiedo) _ (la cancellazione/la disiscrizione/essere cancellat*/essere rimoss*/essere tolt*/disiscriver*)`,
    ending: `non {want} (piu)? (ricevere/avere) (piu/altre/altri/le/i/le vostre/i vostri/vostre/queste/questi/le sue/nessuna)? _ {mails} | non {want} (piu)? (essere)? (contattat*/disturbat*/esser contattat*)
      {want} non (piu)? ricevere _ {mails} | gradirei non (piu)? ricevere _ {mails} | non {me} (piu)? | non (mi/ci) (scriva/scriviate/scrivete/contatti/contattiate/contattate/invii/inviate/inviate/mandi/mandate/disturbate) piu
      (smettete/smetta/smettetela/smettila/smetti) di {me} | ^ basta (con)? (le/i/la/con le/con i/queste/questi/le vostre/i vostri/con queste/con questi)? {mails} | (lasciatemi/lasciami/lasciateci/mi lasci/mi lasciate) (in pace/stare) | ^ (niente/nessuna) (piu/altra/altre)? {mails} (piu)? (grazie)? $ | (revoco/ritiro) il _ consenso`,
  },
  {
    parts: {
      mails:
        'emails/email/mails/mail/mensagens/mensagem/newsletter/newsletters/boletim/boletins/publicidade/propaganda/propagandas/comunicacoes/contatos/contactos/spam/cartas',
      list: 'lista/listas/mailing/base/newsletter/cadastro/emails/divulgacao/base de dados',
      want: 'quero/queremos/queria/gostaria de/gostariamos de/desejo/desejamos/preciso/pretendo/pretendemos',
      ask: 'favor/por favor/peco para/solicito/podem/pode/poderia/poderiam/podem por favor/como faco para/como posso/peco que',
    },
    leaving: `(me/nos) (descadastr*/desinscrev*) | ({want}/{ask}) _ (descadastrar/descadastrar-me/descadastramento/descadastro/descadastrem/descadastre/me descadastrar/me desinscrever/desinscrever-me)
      (remova-me/removam-me/remover-me/retire-me/retirem-me/retirar-me/tire-me/tirem-me/exclua-me/excluam-me/elimine-me/eliminem-me/desinscreva-me/descadastre-me/descadastrem-me/apague-me/remova-nos/removam-nos)
      (me/nos) (remova/removam/remove/remover/tire/tirem/tira/tirar/retire/retirem/retirar/exclua/excluam/excluir/apague/apaguem) (da/do/de/das/dos/desta/deste/dessa) _ {list}
      ({want}/{ask}) cancelar (a/minha/a minha/nossa/a nossa/o/meu/o meu) (inscricao/subscricao/recebimento/cadastro) | (cancele/cancelem/anulem) (a/minha/a minha/nossa/a nossa/o meu) (inscricao/subscricao/cadastro)
      (remova/removam/remover/retire/retirem/retirar/tire/tirem/tirar/exclua/excluam/excluir/apaguem/eliminem/elimine/eliminar) (o/a)? (meu/minha/nosso/nossa/este/esse) _ (email/endereco/contato/contacto/nome/dados/cadastro)
      {want} sair (da/desta/dessa/de sua/da vossa/da sua) _ {list}`,
    ending: `nao {want} (mais/continuar a/seguir/voltar a)? (receber/recebendo) (mais/os/as/seus/os seus/os vossos/estes/esses/este tipo de/nenhum)? _ {mails} | nao {want} mais (receber/{mails}) | nao {want} (mais)? (ser contactad*/ser contatad*/contacto/contato)
      nao (me/nos) (envie/enviem/envies/mande/mandem/mandes/escreva/escrevam/contate/contatem/contacte/contactem/incomode/incomodem) mais | nao (me/nos) (envie/enviem/mande/mandem) (estes/esses/seus/mais/nenhum) _ {mails} | nao (enviem/envie/mandem/mande/enviar/mandar) mais
      (parem/pare/parar/deixem/deixe) de (me/nos)? (enviar/enviar-me/mandar/mandar-me/escrever/escrever-me/contatar/contactar/contactar-me/incomodar) | chega de {mails} | (deixem-me/deixe-me/deixa-me/me deixem/me deixe/deixem-nos/nos deixem) em paz | {want} deixar de receber _ {mails} | ^ (por favor)? (nao mais/sem mais) {mails} | (retiro/revogo) o _ consentimento`,
  },
  {
    parts: {
      mails:
        'mail/mails/email/emails/mailtjes/berichten/nieuwsbrief/nieuwsbrieven/reclame/brieven/post/mailing/mailings/spam/reclamemails',
      list: 'lijst/maillijst/mailinglijst/mailinglist/verzendlijst/verzendbestand/mailbestand/bestand/database/mailing/adressenlijst/nieuwsbrief/distributielijst/lijsten',
      address: 'adres/emailadres/mailadres/gegevens/email/contactgegevens',
      please: 'graag/gelieve/aub/alsjeblieft/alstublieft/svp/verzoek/verzoeke',
    },
    leaving: `(schrijf/schrijft/meld/meldt) (u/je/jullie)? (mij/me/ons) __ (uit/af) . | (mij/me/ons) __ (afmelden/uitschrijven/af te melden/uit te schrijven)
      {please} _ (afmelden/uitschrijven/af te melden/uit te schrijven) | (afmelden/uitschrijven) {please} | (ik/wij/we) (wil/willen/zou/zouden/wens/wensen) _ (afmelden/uitschrijven/afgemeld worden/uitgeschreven worden)
      (haal/haalt/halen/verwijder/verwijdert/verwijderen/schrap/gooi/streep/zet) (u/je)? (mij/me/ons) __ (van/uit/af) _ {list} | (verwijder/verwijdert/verwijderen/wis/schrap) (u)? (mijn/ons/onze/dit) _ {address}
      (mijn/ons/onze/dit) {address} _ (verwijderen/te verwijderen/wissen/uitschrijven/afmelden) | (mij/me/ons) __ (van/uit) _ {list} (af)? (halen/te halen/verwijderen/te verwijderen/schrappen) | ^ {please} _ (van/uit) (de/uw/jullie/je/deze) {list} (af)? (halen/verwijderen)`,
    ending: `(ik/wij/we) (wil/willen/wens/wensen/zou/hoef/hoeven) _ geen _ {mails} | (wil/willen/wens/wensen) (ik/wij/we) _ geen _ {mails} | (ik/wij/we) _ liever geen _ {mails}
      (stuur/stuurt/sturen/zend/zendt) (u/je/jullie)? (mij/me/ons)? _ geen _ {mails} | {please} _ geen _ {mails} | ^ geen _ {mails} (meer)? (graag/aub/alstublieft/alsjeblieft/ontvangen)? $
      (mail/mailt/contacteer/contacteert/benader/benadert/schrijf/schrijft) (u)? (mij/me/ons) _ (niet meer/niet langer/nooit meer/niet opnieuw)
      (mij/me/ons/{please}) _ (niet meer/nooit meer/niet langer) _ (mailen/te mailen/benaderen/te benaderen/contacteren/te contacteren/schrijven/aanschrijven) | (ik/wij/we) (wil/willen) _ (niet meer/niet langer) _ (benaderd/gemaild/gecontacteerd/aangeschreven) worden
      (stop/hou op/houd op/houdt op) (aub/alstublieft)? met _ (mailen/sturen/{mails}/schrijven/benaderen) | (neem/neemt) _ geen contact meer _ op | (ik/wij/we) (wil/willen/wens/wensen/hoef/hoeven) niets meer (te)? ontvangen | (stuur/stuurt) (mij/me/ons) niets meer | ^ niet meer mailen | geen prijs meer op _ {mails} | laat (mij/me/ons) met rust | (wil/willen/wens/wensen) geen (verder)? contact (meer)? . | (trek/trekken) _ toestemming _ in .`,
  },
  {
    parts: {
      mails:
        'mail/maili/maile/mailem/email/emaili/emaile/emailow/wiadomosci/wiadomosc/newsletter/newslettera/newsletterow/reklam/reklamy/ofert/oferty/spam/spamu/korespondencji/listow',
      me: 'do mnie/mi/nam/do nas/na ten adres',
      want: 'nie chce/nie chcemy/nie zycze sobie/nie zyczymy sobie/nie zgadzam sie na/nie chcialbym/nie chcialabym',
      mine: 'moj/moje/mojego/moich/nasz/nasze/naszego/ten/tego',
    },
    leaving: `(wypisz/wypiszcie/wypisac/wykresl/wykreslcie/wykreslic/skreslcie/skreslic) (mnie/nas) | (mnie/nas) _ (wypisac/wypisz/wypiszcie/wykreslic/wyrejestrowac) | (prosze/prosimy/poprosze) o (wypisanie/wykreslenie/wyrejestrowanie)
      (chce/chcemy/chcialbym/chcialabym/chcielibysmy/pragne/jak moge) _ wypisac | wypisuje sie | (usun/usuncie/usunac) (mnie/nas) (z/ze) | (mnie/nas) (usunac/skreslic) (z/ze) | (prosze/prosimy) _ usunac (mnie/nas) (z/ze)
      (usun/usuncie/usunac) {mine} _ (adres/adresu/email/maila/dane/kontakt) | (prosze/prosimy) o (usuniecie/skreslenie) (mnie/nas/{mine}) | (prosze/prosimy) o usuniecie (adresu/z listy/z bazy) | rezygnuj* z (newslettera/subskrypcji/otrzymywania/mailingu/listy)
      (chce/prosze/prosimy/chcialbym/chcialabym) _ (zrezygnowac z/anulowac/anulowanie) (subskrypcji/subskrypcje/newslettera)`,
    ending: `{want} (juz)? (wiecej)? _ (otrzymywac/dostawac/otrzymywania/dostawania/otrzymywanie) _ {mails} | {want} (juz)? (wiecej/dalszej/dalszych/tych/takich/waszych/panstwa/zadnych) {mails}
      (prosze/prosimy) _ nie (wysylac/przysylac/pisac/kontaktowac sie/kontaktowac) (juz)? ({me}/wiecej/ze mna/z nami/{mails}) | (prosze/prosimy) _ (wiecej/juz) _ nie (wysylac/pisac/przysylac) | (prosze/prosimy) o (nie wysylanie/niewysylanie/nieprzysylanie/nie przysylanie)
      nie (wysylajcie/wysylaj/przysylajcie/przysylaj/piszcie/pisz) (juz)? ({me}/wiecej/{mails}) | (przestancie/przestan/prosze przestac/prosze zaprzestac) _ (wysylac/pisac/przysylac/wysylania/przesylania)
      (prosze/prosimy) o (zaprzestanie/wstrzymanie/zakonczenie) (wysylki/wysylania/przesylania/korespondencji/kontaktu) | (cofam/wycofuje/odwoluje) _ zgode | dajcie mi spokoj | {want} (juz/dalszego/zadnego/wiecej)? kontaktu | ^ (prosze)? zadnych (wiecej)? {mails}`,
  },
  {
    parts: { send: 'присылаите/шлите/отправляите/высылаите/пришлите' },
    leaving: `отпис* | отпиш* | (удалите/исключите/уберите/вычеркните/снимите) (меня/нас)
      (удалите/исключите/уберите/вычеркните) (мои/мою/наш/нашу/этот) _ (адрес*/email/почт*/данн*/контакт*)`,
    ending: `не пишите | не {send} _ (больше/писем/письма/рекламу/рекламы/рассылк*/спам) | больше _ не {send} | не беспокоите (меня/нас/больше)
      прекратите (рассылк*/спам*/присылать/писать/слать/отправлять/рассылать) | перестаньте (присылать/писать/слать/отправлять/спамить)
      не (хочу/хотим) (больше)? получать | оставьте (меня/нас) в покое`,
  },
]

/** What asks for no more letters if nothing else is said. */
export const bare = `stop (it/this/all/now/mail/mails/emails/pub/spam)? | stopp | unsubscribe (me/us/now)? | unsub | remove (me/us)? | opt out | opt-out | optout | take me off | no more | cease | desist | enough (already/is enough)? | dnc | (do not/don't) (contact/email/mail/disturb/write) | (i/we) want out | stop (spam/spamming) | (no/no more) spam
  abmelden | abmeldung | abbestellen | austragen | austragung | (mich)? (abmelden/austragen) | newsletter (abmelden/abbestellen) | loschen | schluss (damit/jetzt)? | aufhoren | (horen sie/hor/hort) (damit)? auf | (lassen sie/lasst/lass) das | werbung (unerwunscht/verboten) | (es/jetzt/das) reicht (es/jetzt)? | genug
  desabonnement | desinscription | desabonner | desinscrire | (me/se) (desabonner/desinscrire) | desabonnez | arretez (ca/cela/tout)? | arret | ne plus recevoir | (ca/cela) suffit | assez | stop (pub/mail/mails) | (supprimez-moi/retirez-moi/enlevez-moi/rayez-moi/effacez-moi)
  baja | (darme/dar/darse)? de baja | desuscrib* | desuscripcion | (cancelar) (la/mi)? suscripcion | no mas | basta (ya)? | ya basta | (paren/pare) (ya)? | (cesen/cese) (y desistan/y desista)? | no (contactar/molestar/escribir) | suficiente
  disiscri* | cancellami | cancellatemi | cancellazione | rimuovi | rimuovimi | annulla iscrizione | (smettetela/smettila/la smetta) | (ora/adesso) basta | basta (cosi/pubblicita/spam) | non (contattare/scrivere)
  descadastr* | cancelar (a/minha)? (inscricao/subscricao) | anular (a)? subscricao | remover | sair | parar | (pare/parem) (com isso/ja)? | chega (ja/disso)? | desinscrever
  afmelden | afmelding | uitschrijven | uitschrijving | schrijf (mij/me/ons) uit | stoppen | verwijderen | (hou/houd/houdt) (hiermee/ermee/daarmee)? op | stop (hiermee/ermee/daarmee) | geen reclame (meer)? | genoeg
  wypis | wypisz (mnie/nas)? | wypisac (mnie)? | wypisanie | rezygnacja | rezygnuje | wypisuje sie | usun (mnie)? | usunac | o wypisanie | dosc (tego)? | (przestancie/przestan/przestac) | koniec (z reklamami/z reklama/z tym/spamu/reklam)? | nie (pisac/kontaktowac) | wystarczy
  отпис* | отпиш* | стоп | хватит (рекламы/спама/писем/уже)? | прекратите (это/немедленно)? | отстаньте (от меня/от нас)? | (довольно/достаточно) | (больше)? никакои рекламы (больше)?`

/** Words that say nothing by themselves. */
export const polite = `please | pls | plz | kindly | thanks | thank you | thx | now | immediately | asap | at once | hi | hello | hey | bitte | danke | sofort | hallo | vielen dank
  merci | svp | s'il vous plait | s'il te plait | bonjour | por favor | gracias | hola | per favore | grazie | tout de suite | maintenant | immediatement | this is spam | ciao | salve | favor | obrigado | obrigada | ola | agora
  graag | aub | alsjeblieft | alstublieft | bedankt | dank u | dank je | a.u.b. | prosze | dziekuje | dzien dobry | poprosze | пожалуйста | спасибо | здравствуйте`

/** Before a phrase in its clause: who denies it, or speaks of others. */
export const denied = `(not/never/don't/dont/doesn't/didn't/won't/cannot/can't/wouldn't/without/no one/nobody/shouldn't/haven't/hasn't/should i/did you/have you) _ $
  (nicht/nie/niemals/ohne/pas/jamais/sans/ni/no/nunca/jamas/sin/tampoco/non/mai/senza/nao/sem/niet/nooit/zonder/nie/nigdy/bez/не/ни) _ $ | {others} __ $`

/** Before "stop sending": who speak of themselves. */
export const telling = '(we/i/they) (will/would/could/should/can/must/had to/have to)? $'

/** Within a wish to leave a list: what denies it. */
export const denying =
  "not/don't/dont/never/nicht/nie/pas/jamais/no/nunca/non/mai/nao/niet/nooit/nie/nigdy"

/** Those who leave lists of their own. */
export const others =
  'users/customers/clients/subscribers/recipients/people/members/leads/prospects/visitors/nutzer/kunden/empfanger/abonnenten/mitglieder/leute/utilisateurs/destinataires/abonnes/usuarios/clientes/suscriptores/destinatarios/utenti/clienti/iscritti/utilizadores/assinantes/gebruikers/klanten/abonnees/uzytkownicy/klienci/odbiorcy/uzytkownikow/klientow'

/** What somebody may be taken off besides a list of letters. */
export const events =
  'webinar*/webinaire*/event/events/meeting*/seminar*/conference*/workshop*/course/courses/training*/demo/demos/call/invite/invitation/calendar/cc/thread/cookies/tracking/account/invoice/order/contract/hold/group/project/rechnung/auftrag/bestellung/angebot/vertrag/facture/commande/factura/pedido/fattura/ordine/fatura/encomenda/factuur/bestelling/faktur*/zamowieni*/veranstaltung*/termin*/kurs*/schulung*/kolloquium/reunion*/evenement*/formation*/evento*/curso*/taller/cita/corso/incontro/riunione/reuniao/treinamento/formacao/bijeenkomst*/cursus/afspraak/vergadering/spotkani*/szkoleni*/wydarzeni*/konferencj*/kurs*'

export const letters =
  'mail*/email*/list/lists/newsletter*/nachricht*/verteiler*/liste*/listen/courriel*/message*/correo*/lista/listy/boletin*/messaggi/comunicazioni/mensagens/lijst/nieuwsbrief*/berichten/maile/maili/wiadomosci/database/datenbank'

/** How those begin who offer a way out behind a question. */
export const clicks = '^ (click/klicken/klick/cliquez/clicca/clicchi/klik/kliknij/haga clic/clique)'

/** What only those write who offer a way out, and what limits a wish to a time or a means. */
export const offers = `click | clicchi | klicken | cliquez | clic | cliquer | clique | clicca | cliccare | klik | kliknij | clicar | haga clic | if you (no longer/do not/don't/want/wish/would like/prefer) | wenn sie | falls sie | um sich | si vous | si no desea | si usted | se non desidera | se vuoi | per non | para no | se nao deseja | als u | jesli | ab und zu
  by phone | by telephone | by mail | by email | by post | per post | per mail | per email | via mail | via email | par courrier | par mail | par email | por correo | por email | por mail | via posta | per posta | por carta | poczta | telefonisch | par telephone | por telefono | per telefono | por telefone
  until | before | next (week/month/year) | this week | on (mondays/fridays/weekends/weekend) | bis | hasta | jusqu'au | fino a | ate | tot`
