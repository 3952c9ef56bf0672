import { t } from '#web/t.ts'

/** The zones of Brazil by the city that stands for them, from east to west. */
const BRAZIL = {
  'America/Noronha': 'Fernando de Noronha',
  'America/Sao_Paulo': 'São Paulo e Brasília',
  'America/Bahia': 'Salvador',
  'America/Maceio': 'Maceió',
  'America/Recife': 'Recife',
  'America/Fortaleza': 'Fortaleza',
  'America/Belem': 'Belém',
  'America/Araguaina': 'Araguaína',
  'America/Santarem': 'Santarém',
  'America/Campo_Grande': 'Campo Grande',
  'America/Cuiaba': 'Cuiabá',
  'America/Manaus': 'Manaus',
  'America/Porto_Velho': 'Porto Velho',
  'America/Boa_Vista': 'Boa Vista',
  'America/Rio_Branco': 'Rio Branco',
  'America/Eirunepe': 'Eirunepé',
} as const

/** The time zones to choose from: those of Brazil first, then what the browser knows; `chosen` is always among them. */
export function timeZones(chosen: string) {
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !(zone in BRAZIL))
  const isKnown = chosen in BRAZIL || others.includes(chosen)
  return [
    { group: t('Brasil'), items: Object.entries(BRAZIL).map(([value, label]) => ({ value, label })) },
    {
      group: t('Outros'),
      items: (isKnown ? others : [chosen, ...others]).map((value) => ({ value, label: value.replaceAll('_', ' ') })),
    },
  ]
}
