// Names and groups of the valuations; the names follow the catalogue of crates/valuation. Unknown ones are shown with their code in the last group.

export const GROUPS = ['High cards', 'Controls, quality, losers', 'Points with distribution', 'Other'] as const;
export type Group = (typeof GROUPS)[number];

const [HIGH, LOSERS, POINTS, OTHER] = GROUPS;

export const VALUATIONS: Record<string, [name: string, group: Group]> = {
  hcp: ['High-card points 4-3-2-1', HIGH],
  hcpt050: ['High cards with tens ½', HIGH],
  hcpa425: ['High cards with aces 4¼', HIGH],
  hcpat475: ['High cards with aces 4¼ and tens ½', HIGH],
  bumwrap: ['Bum-wrap', HIGH],
  woolsey: ['Woolsey', HIGH],
  fifths: ["Andrews' fifths", HIGH],
  bwjgm: ['Bum-wrap variant', HIGH],
  opcjgm: ['Honours in the manner of the Optimal Point Count', HIGH],
  c13: ['6-4-2-1 count', HIGH],
  controls: ['Controls', LOSERS],
  quality: ['Suit quality', LOSERS],
  losers: ['Losers', LOSERS],
  ltc: ['Losing trick count', LOSERS],
  cccc: ["Kaplan-Rubens four C's", POINTS],
  'cccc-v1': ["Kaplan-Rubens four C's, as the classic dealer", POINTS],
  knr: ["Kaplan-Rubens four C's with fit and misfit", POINTS],
  kaplan: ['Kaplan', POINTS],
  goren: ['Goren', POINTS],
  bergen: ['Bergen', POINTS],
  bissell: ['Bissell', POINTS],
  dkp: ["Kleinman's little jack points", POINTS],
  karpin: ['Karpin', POINTS],
  karpin_b: ['Karpin with fractional honours', POINTS],
  larsson: ['Larsson', POINTS],
  larsson_b: ['Larsson with fractional honours', POINTS],
  opc: ['Optimal point count', POINTS],
  pavlicek: ['Pavlicek', POINTS],
  roth: ['Roth', POINTS],
  sheinwold: ['Sheinwold', POINTS],
  zar: ['Zar points', POINTS],
  zar_advanced: ['Zar points, advanced', POINTS],
};

export function groupOf(code: string): Group {
  return VALUATIONS[code]?.[1] ?? OTHER;
}
