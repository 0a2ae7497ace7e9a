import { isFieldName, longestFieldName } from '../own-fields.ts'
import { cut } from '../text.ts'
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
// Polish, Swedish and Danish, Czech, Turkish, Russian and Ukrainian, Chinese, Japanese, Hungarian, Finnish, Romanian. A word is listed only in the first of
// its languages.
const words: Record<Exclude<KnownField, StopField>, string> = {
  externalId: 'external id, externalid',
  firstName: `first name, firstname, given name, forename, first | vorname | prenom | nombre de pila, primer nombre |
    nome proprio, primeiro nome | voornaam | imie | fornamn, fornavn | jmeno, krestni jmeno | adi | имя | имʼя, ім'я | 名 |
    keresztnev | etunimi | prenume`,
  lastName: `last name, lastname, family name, surname, last | nachname, familienname, zuname | nom de famille |
    apellido, apellidos, primer apellido | cognome | sobrenome, apelido, ultimo nome | achternaam, familienaam |
    nazwisko | efternamn, efternavn, etternavn | prijmeni | soyad, soyadi | фамилия | прізвище | 姓 | vezeteknev, csaladnev | sukunimi | nume de familie`,
  name: `name, full name, fullname, display name, contact name, person, contact person, client name, customer name, lead name |
    vollstandiger name, anzeigename, ansprechpartner, kontakt, kontaktname, vor und nachname, kunde |
    nom, nom complet, nom et prenom, nom prenom, contact | nombre, nombre completo, nombre y apellidos, contacto |
    nome, nome completo, nome e cognome, nominativo, contatto | contato | naam, volledige naam, contactpersoon |
    imie i nazwisko, nazwa kontaktu, osoba kontaktowa | namn, fullstandigt namn, navn, fulde navn | cele jmeno, jmeno a prijmeni |
    ad soyad, isim | фио, полное имя, контакт, контактное лицо, имя и фамилия | піб, повне ім'я | 姓名, 名字, 氏名, 名前 |
    nev, teljes nev | nimi, koko nimi | nume, nume complet | kontaktperson`,
  email: `email, e mail, mail, email address, e mail address, mail address, emailaddress, email id, email adress, emails, e mails,
    email addresses, e mail addresses, mail addresses |
    e mail adresse, email adresse, mailadresse, emailadresse, e mail adressen, email adressen, mailadressen | courriel, adresse e mail, adresse email, adresse mail,
    adresse courriel, adresse electronique, mel | correo, correo electronico, direccion de correo, direccion de correo electronico,
    direccion de email | posta elettronica, indirizzo email, indirizzo e mail, indirizzo mail | correio eletronico,
    endereco de email, endereco de e mail | e mailadres, emailadres, mailadres | adres e mail, adres email, poczta, adres poczty |
    e post, epost, e postadress, e mailadresse | eposta, e posta, e posta adresi | почта, электронная почта, эл почта, емейл,
    имейл, адрес электронной почты, e mail адрес | пошта, електронна пошта | 邮箱, 电子邮件, 电子邮箱, メール, メールアドレス |
    e mail cim, email cim | sahkoposti, sahkopostiosoite | adresa de email, adresa email, adresa de e mail`,
  phone: `phone, phone number, telephone, telephone number, tel, tel no, mobile, mobile phone, mobile phone number, phone mobile,
    mobile number, cell, cell phone,
    cellphone, phone no, phone numbers, mobiles, whatsapp, sms | telefon, telefonnummer, telefonnr, handy, handynummer, mobil, mobilnummer, mobiltelefon,
    rufnummer, festnetz | telephone portable, portable, numero de telephone, tel portable | telefono, numero de telefono, movil,
    telefono movil, celular | cellulare, numero di telefono, telefono cellulare | telefone, numero de telefone, telemovel |
    telefoonnummer, telefoon, mobiel, mobiele telefoon, gsm | numer telefonu, nr telefonu, komorka, telefon komorkowy |
    telefonnumer, mobiltelefon | telefonni cislo | telefon numarasi, cep telefonu | телефон, номер телефона, мобильный,
    мобильный телефон, моб телефон, тел | номер телефону, мобільний | 电话, 手机, 手机号, 電話, 電話番号, 携帯電話 |
    telefonszam, mobilszam | puhelin, puhelinnumero, matkapuhelin | numar de telefon`,
  linkedin: `linkedin, linked in, linkedin url, linkedin profile, linkedin profile url, linkedin link, profile url,
    professional network, professional network url, profile, profile link, person linkedin url, linkedin address, profile address,
    public profile url | linkedin profil, profil, profiladresse | profil linkedin, lien linkedin | perfil, perfil de linkedin,
    perfil linkedin | profilo, profilo linkedin | profiel, linkedin profiel | линкедин, профиль, профиль linkedin,
    ссылка на профиль | профіль`,
  company: `company, company name, organization, organisation, organization name, organisation name, employer, account,
    account name, business, business name, current company, firm, associated company,
    primary associated company | firma, unternehmen, firmenname, arbeitgeber, organisation |
    entreprise, societe, nom de l entreprise, nom de la societe, employeur | empresa, compania, nombre de la empresa, organizacion |
    azienda, societa, ragione sociale, nome azienda | nome da empresa, companhia, organizacao | bedrijf, bedrijfsnaam, organisatie |
    firmy, nazwa firmy, przedsiebiorstwo, organizacja | foretag, foretagsnamn, virksomhed, bedrift | spolecnost, nazev firmy |
    sirket, sirket adi | компания, организация, фирма, название компании, работодатель | компанія, організація | 公司, 公司名称, 会社, 会社名 |
    ceg, cegnev | yritys, yrityksen nimi | companie, nume companie`,
  city: `city, town, location, locality, city town, home city, business city, address city, person city | stadt, ort, wohnort | ville, localite, commune |
    ciudad, localidad, poblacion | citta, comune, localita | cidade, localidade, municipio | stad, plaats, woonplaats |
    miasto, miejscowosc | mesto | sehir | город, населенный пункт | місто | 城市, 市, 都市 | varos, telepules | kaupunki, paikkakunta | oras`,
  jobTitle: `job title, jobtitle, title, position, role, job, occupation, headline, function, job position, current position, organization title, company position |
    position, funktion, berufsbezeichnung, stelle, beruf, jobtitel, stellenbezeichnung, rolle | poste, fonction, intitule du poste,
    titre, titre du poste | cargo, puesto, puesto de trabajo, titulo, funcion | ruolo, posizione, mansione, qualifica, titolo |
    funcao, titulo do cargo | functie, functietitel, rol | stanowisko, funkcja, rola | befattning, titel, stilling | pozice, funkce |
    unvan, pozisyon, gorev | должность, позиция | посада | 职位, 职务, 役職 |
    beosztas, munkakor | tehtavanimike, titteli`,
}

const known = new Map<string, keyof typeof words>()
for (const field of Object.keys(words) as (keyof typeof words)[])
  for (const word of words[field].split(/[,|]/)) {
    const plain = plainHeading(word)
    if (plain !== '' && !known.has(plain)) known.set(plain, field)
  }

// "E-mail 1 - Value", "Primary email", "Person - Email - Work" and "Work phone (2)" mean the same as the words without these additions.
const fillers =
  /\b(?:\d+|value|primary|main|work|business|office|home|personal|private|direct|default|other|mailing|geschaftlich|dienstlich|privat|professionnel|personnel|trabajo|lavoro)\b/g
const owners = /^(?:(?:person|contact|lead|customer|client|member|subscriber) )+(?=.)/
// A second address is the person's too, and a second name is not: Google's "Additional Name" is a middle name.
const seconds = /\b(?:additional|secondary|alternate|alternative|second|2nd|user|weitere|zweite)\b/g
const severalOf: ReadonlySet<string> = new Set(['email', 'phone'])

/** What a heading says about its column; undefined if it is not one of the words. */
export function fieldOfHeading(heading: string): KnownField | undefined {
  if (heading.length > 200) return undefined
  for (const form of [plainHeading(heading), plainHeading(spacedOut(heading))]) {
    const bare = without(form, fillers)
    for (const short of [form, bare, bare.replace(/ name$/, ''), bare.replace(owners, '')]) {
      const field = known.get(short)
      if (field) return field
    }
    const second = known.get(without(bare, seconds))
    if (second && severalOf.has(second)) return second
  }
  return stopOfHeading(heading)
}

const without = (form: string, words: RegExp) => form.replace(words, ' ').replace(/ +/g, ' ').trim()
