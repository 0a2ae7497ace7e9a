import { plainHeading } from './plain-heading.ts'

// How people are addressed, which some exports call a title.

const salutations = new Set(
  `herr, hr, herrn, frau, fr, fraulein, familie, divers, mr, mister, mrs, miss, ms, mx, sir, madam, dr, prof, professor dr, prof dr,
  dr med, dr ing, dr rer nat, prof dr med, dipl ing, mag, ing, herr dr, frau dr, herr prof, frau prof, herr prof dr, frau prof dr, rev, hon,
  m, mme, mlle, monsieur, madame, mademoiselle, me, maitre, sr, sra, srta, senor, senora, senorita, don, dona, d, da, sr d, sra da,
  sig, sig ra, sigra, sig na, signor, signora, signore, dott, dott ssa, dottssa, dottoressa, dottore, avv, arch, senhor, senhora, exmo sr, exma sra,
  dhr, de heer, heer, mevr, mevrouw, mw, drs, ir, pan, pani, p, inz, herre, hr, fru, froken, pani inz, bay, bayan, sayin,
  г н, г жа, господин, госпожа, пан, пані, 先生, 女士, 小姐, 様, さん`
    .split(',')
    .map(plainHeading),
)

/** Whether a text is only how somebody is addressed, such as "Herr" or "Dr.". */
export const isSalutation = (text: string): boolean =>
  text.length <= 40 && salutations.has(plainHeading(text))
