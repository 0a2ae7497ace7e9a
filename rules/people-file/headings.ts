import { isFieldName, longestFieldName } from '../own-fields.ts'
import { cut } from '../text.ts'
import { isOfOthers } from './others.ts'
import { plainHeading, spacedOut } from './plain-heading.ts'
import { type StopField, stopFields, stopOfHeading } from './stops.ts'

/** What a column of an import may be. firstName and lastName are joined into the name. */
export const knownFields = [
  'name',
  'firstName',
  'lastName',
  'email',
  'phone',
  'linkedin',
  'company',
  'city',
  'jobTitle',
  'externalId',
  ...stopFields,
] as const
type KnownField = (typeof knownFields)[number]
/** Or a field of the client's own, by its name. */
export type OwnField = `fields.${string}`
export type ImportField = KnownField | OwnField

const own = 'fields.'
export const nameOfOwn = (field: ImportField): string | undefined =>
  field.startsWith(own) ? field.slice(own.length) : undefined

/**
 * The field that a column which means nothing else becomes, with a number if others have its name already; undefined if its
 * heading has no letter or digit.
 */
export function ownFieldOf(heading: string, taken: ReadonlySet<string>): OwnField | undefined {
  const name = heading
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  const short = cut(name, longestFieldName).trim()
  if (!isFieldName(short) || !/[\p{L}\p{N}]/u.test(short)) return undefined
  let field: OwnField = `${own}${short}`
  for (let n = 2; taken.has(field); n++)
    field = `${own}${cut(short, longestFieldName - ` ${n}`.length).trim()} ${n}`
  return field
}

// How exports of address books and CRMs name their columns: English, German, French, Spanish, Italian, Portuguese, Dutch,
// Polish, Swedish and Danish, Czech, Turkish, Russian and Ukrainian, Chinese, Japanese, Hungarian, Finnish, Romanian, Greek, Korean,
// Hebrew, Arabic. A word is listed only in the first of its languages.
const words: Record<Exclude<KnownField, StopField>, string> = {
  externalId: 'external id, externalid',
  firstName: `first name, firstname, given name, given, forename, fname, first | vorname | prenom | nombre de pila, primer nombre |
    nome proprio, primeiro nome | voornaam | imie | fornamn, fornavn | jmeno, krestni jmeno | adi, ad | имя | имʼя, ім'я | 名 |
    keresztnev | etunimi | prenume | שם פרטי | الاسم الأول`,
  lastName: `last name, lastname, family name, surname, lname, last | nachname, familienname, zuname | nom de famille |
    apellido, apellidos, primer apellido | cognome | sobrenome, apelido, ultimo nome | achternaam, familienaam |
    nazwisko | efternamn, efternavn, etternavn | prijmeni | soyad, soyadi | фамилия | прізвище | 姓 | vezeteknev, csaladnev | sukunimi | nume de familie | επωνυμο | 성 | שם משפחה | اسم العائلة`,
  name: `name, full name, fullname, display name, contact name, person, contact person, client name, customer name, lead name, deal contact person, attendee,
    recipient |
    vollstandiger name, anzeigename, ansprechpartner, kontakt, kontaktname, vor und nachname, kunde, empfanger, teilnehmer |
    nom, nom complet, nom et prenom, nom prenom, nom du contact, contact | nombre, nombre completo, nombre y apellidos, nombre del contacto, nombre de contacto, contacto |
    nome, nome completo, nome e cognome, nominativo, nome contatto, contatto | nome do contato, contato | naam, volledige naam, contactpersoon |
    imie i nazwisko, nazwa kontaktu, osoba kontaktowa | namn, fullstandigt namn, navn, fulde navn | cele jmeno, jmeno a prijmeni |
    ad soyad, isim | фио, полное имя, контакт, контактное лицо, имя и фамилия | піб, повне ім'я | 姓名, 名字, 氏名, 名前 |
    nev, teljes nev | nimi, koko nimi | nume, nume complet | kontaktperson | ονομα, ονοματεπωνυμο |
    이름, 성명 | שם, שם מלא | الاسم, الاسم الكامل`,
  email: `email, e mail, mail, email address, e mail address, mail address, emailaddress, email id, mail id, email adress, emails, e mails,
    email addresses, e mail addresses, mail addresses |
    e mail adresse, email adresse, mailadresse, emailadresse, e mail adressen, email adressen, mailadressen | courriel, adresse e mail, adresse email, adresse mail,
    adresse courriel, adresse electronique, mel,
    adresse de messagerie, messagerie, adresse de courriel, courrier electronique, adresse de courrier electronique | correo, correo electronico, direccion de correo, direccion de correo electronico,
    direccion de email, direccion del correo electronico, direccion email, direccion e mail | posta elettronica, indirizzo posta elettronica, indirizzo di posta elettronica, indirizzo di posta, indirizzo email, indirizzo e mail, indirizzo mail | correio eletronico,
    endereco de email, endereco de e mail, endereco eletronico, endereco de correio eletronico, correio electronico,
    endereco de correio electronico | e mailadres, emailadres, mailadres | adres e mail, adres email, poczta, adres poczty |
    e post, epost, e postadress, e mailadresse | eposta, e posta, e posta adresi, eposta adresi | почта, электронная почта, эл почта, емейл,
    имейл, адрес электронной почты, адрес эл почты, e mail адрес | пошта, електронна пошта | 邮箱, 电子邮件, 电子邮箱, 邮箱地址, メール, メールアドレス, eメール, 電子メール |
    e mail cim, email cim | sahkoposti, sahkopostiosoite | adresa de email, adresa email, adresa de e mail | ηλεκτρονικο ταχυδρομειο, διευθυνση email | 이메일, 이메일 주소, 전자우편 |
    אימייל, דוא ל, דואר אלקטרוני | البريد الإلكتروني, البريد الالكتروني`,
  phone: `phone, phone number, telephone, telephone number, tel, tel no, mobile, mobile phone, mobile phone number, phone mobile,
    mobile number, cell, cell phone,
    cellphone, phone no, phone numbers, mobiles, mobile no, mobile tel, contact number, contact no, work number, office number, landline, landline number,
    whatsapp, whatsapp number, sms, sms number | telefon, telefonnummer, telefonnr, handy, handynummer, mobil, mobilnummer, mobiltelefon,
    rufnummer, festnetz, festnetznummer, haupttelefon, mobiltelefonnummer, handynr, mobilnr, mobil nr, tel nr, telefon nr |
    telephone portable, telephone mobile, tel mobile, telephone fixe, fixe, portable, numero de telephone, tel portable | telefono, numero de telefono, movil,
    telefono movil, telefono fijo, tel movil, telefono celular, celular | cellulare, numero di telefono, telefono cellulare, numero cellulare, telefono fisso | telefone, numero de telefone, telefone celular, telefone fixo, telefone movel, telemovel |
    telefoonnummer, telefoonnr, telefoon, mobiel, mobiel nummer, mobiele telefoon, gsm | numer telefonu, nr telefonu, komorka, telefon komorkowy |
    telefonnumer, mobiltelefon | telefonni cislo, mobilni telefon | telefon numarasi, telefonu, is telefonu, cep telefonu | телефон, номер телефона, мобильный, мобильный номер, сотовый, сотовый телефон, телефон переносной,
    мобильный телефон, моб телефон, тел | номер телефону, мобільний | 电话, 手机, 手机号, 電話, 電話番号, 会社電話, 勤務先電話, 携帯電話 |
    telefonszam, mobilszam | puhelin, puhelinnumero, matkapuhelin | numar de telefon | τηλεφωνο, κινητο | 전화, 전화번호, 휴대폰, 휴대전화 |
    טלפון, נייד | الهاتف, رقم الهاتف, الجوال`,
  linkedin: `linkedin, linked in, linkedin url, linkedin profile, linkedin profile url, linkedin link, linked in url, linked in profile,
    linked in profile url, linkedin profile link, linkedin public url, profile url,
    professional network, professional network url, profile, profile link, person linkedin url, linkedin address, profile address,
    public profile url | linkedin profil, profil, profiladresse | profil linkedin, lien linkedin | perfil, perfil de linkedin,
    perfil linkedin | profilo, profilo linkedin | profiel, linkedin profiel | линкедин, профиль, профиль linkedin,
    ссылка на профиль | профіль`,
  company: `company, company name, organization, organisation, organization name, organisation name, address company, billing company, sales account, sales account name, employer, account,
    account name, business, business name, current company, firm, company account, associated company,
    primary associated company | firma, unternehmen, firmenname, arbeitgeber, organisation, zugeordnetes unternehmen |
    entreprise, societe, nom de l entreprise, nom de la societe, nom du compte, employeur, entreprise associee, raison sociale | empresa, compania, nombre de la empresa, nombre de la cuenta, organizacion, empresa asociada, razon social |
    azienda, societa, ragione sociale, nome azienda, nome account, azienda associata, organizzazione, ditta | nome da empresa, nome da conta, empresa associada, companhia, organizacao | bedrijf, bedrijfsnaam, gekoppeld bedrijf, accountnaam, organisatie |
    firmy, nazwa firmy, przedsiebiorstwo, organizacja | foretag, foretagsnamn, virksomhed, bedrift | spolecnost, nazev firmy |
    sirket, sirket adi | компания, организация, фирма, название компании, работодатель | компанія, організація | 公司, 公司名称, 会社, 会社名 |
    ceg, cegnev | yritys, yrityksen nimi | companie, nume companie | εταιρεια | 회사, 회사명 | חברה | الشركة`,
  city: `city, town, location, locality, city town, home city, business city, address city, mailing city, billing city, person city | stadt, ort, wohnort | ville, localite, commune |
    ciudad, localidad, poblacion | citta, comune, localita | cidade, localidade, municipio | stad, plaats, woonplaats |
    miasto, miejscowosc, miejscowosc firma | by | mesto | sehir | город, населенный пункт | місто | 城市, 市, 都市, 市区町村, 市区町村 会社 | varos, telepules | kaupunki, paikkakunta | oras | πολη | 도시 | עיר | المدينة`,
  jobTitle: `job title, jobtitle, title, position, role, job, occupation, headline, function, job position, current position, organization title, company position, designation, job role,
    current title, business title |
    position, funktion, berufsbezeichnung, stelle, beruf, jobtitel, stellenbezeichnung, rolle | poste, fonction, intitule du poste,
    titre, titre du poste | cargo, puesto, puesto de trabajo, titulo, funcion | ruolo, posizione, mansione, qualifica, titolo |
    funcao, titulo do cargo | functie, functietitel, rol | stanowisko, funkcja, rola | befattning, titel, stilling | pozice, funkce |
    unvan, pozisyon, gorev | должность, позиция | посада | 职位, 职务, 役職 |
    beosztas, munkakor | tehtavanimike, titteli | 직책, 직함, 직위 | תפקיד | المسمى الوظيفي`,
}

const known = new Map<string, keyof typeof words>()
for (const field of Object.keys(words) as (keyof typeof words)[])
  for (const word of words[field].split(/[,|]/)) {
    const plain = plainHeading(word)
    // Names of columns in databases have no blanks: MAILINGCITY.
    for (const form of [plain, plain.replaceAll(' ', '')])
      if (form !== '' && !known.has(form)) known.set(form, field)
  }

// "E-mail 1 - Value", "Primary email", "Person - Email - Work", "Work phone (2)" and "Email (required)" mean the same as the words
// without these additions, and what may join them.
const fillers =
  wholeWords(`\\d+|value|primary|main|work|business|office|home|personal|private|direct|default|other|mailing|required|optional|
  geschaftlich|dienstlich|privat|buro|pflichtfeld|professionnel|personnel|bureau|domicile|principale?|obligatoire|trabajo|particular|obligatorio|
  lavoro|uff|ufficio|ab|casa|abitazione|comercial|residencial|werk|thuis|sluzbowy|prywatny|arbete|arbejde|arb|arbeit|zuhause|do\\sprace|рабочии|служебныи|личныи|домашнии`)
const joints = new Set(['de', 'del', 'dell', 'della', 'du', 'da', 'do', 'des', 'of', 'for'])
// What the words without the addition do not mean: Outlook's office is a room.
const otherwise = new Set(['office location'])
const owners = /^(?:(?:person|contact|lead|customer|client|member|subscriber) )+(?=.)/
// A second address is the person's too, and a second name is not: Google's "Additional Name" is a middle name.
const seconds =
  wholeWords(`additional|secondary|alternate|alternative|second|2nd|third|3rd|extra|user|weitere[rs]?|zweite[rs]?|andere[rs]?|
  autres?|secondaire|otr[oa]s?|secundari[oa]|altr[oaie]|secondari[oa]|outr[oa]s?|ander|inny|annan|дополнительныи|второи`)
const severalOf: ReadonlySet<string> = new Set(['email', 'phone'])

function wholeWords(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.replace(/\s+/g, '')})(?![\\p{L}\\p{N}])`, 'gu')
}

/** "telefono de la", of which the last word was an addition, means "telefono". */
function withoutJoints(form: string): string {
  const words = form.split(' ')
  for (;;) {
    const [before = '', last = ''] = words.slice(-2)
    const isArticle = last === 'la' && (before === 'de' || before === 'del')
    if (words.length < 2 || !(joints.has(last) || isArticle)) return words.join(' ')
    words.pop()
  }
}

/** What a heading says about its column; undefined if it is not one of the words. */
export function fieldOfHeading(heading: string): KnownField | undefined {
  if (heading.length > 200) return undefined
  return contactOf(heading) ?? stopOfHeading(heading) ?? fieldOfParts(heading)
}

function contactOf(heading: string): KnownField | undefined {
  for (const form of [plainHeading(heading), plainHeading(spacedOut(heading))]) {
    if (otherwise.has(form)) return undefined
    const bare = withoutJoints(without(form, fillers))
    for (const short of [form, bare, bare.replace(/ name$/, ''), bare.replace(owners, '')]) {
      const field = known.get(short)
      if (field) return field
    }
    const second = known.get(without(bare, seconds))
    if (second && severalOf.has(second)) return second
  }
  return undefined
}

/** "E-Mail / Courriel" and "邮箱 (Email)" say the same in two languages; "Name / Email" says two things. */
function fieldOfParts(heading: string): KnownField | undefined {
  const parts = heading.split(/[/|()[\]\r\n]+/).filter((part) => part.trim() !== '')
  if (parts.length < 2 || isOfOthers(heading)) return undefined
  const [field, ...more] = parts.map((part) => contactOf(part))
  return more.every((other) => other === undefined || other === field) ? field : undefined
}

const without = (form: string, words: RegExp) => form.replace(words, ' ').replace(/ +/g, ' ').trim()
