import { t } from '#web/t.ts'

/** Time zones of Brazil by representative city, from east to west. */
const BRAZIL = {
  'America/Noronha': t('Fernando de Noronha'),
  'America/Sao_Paulo': t('São Paulo e Brasília'),
  'America/Bahia': t('Salvador'),
  'America/Maceio': t('Maceió'),
  'America/Recife': t('Recife'),
  'America/Fortaleza': t('Fortaleza'),
  'America/Belem': t('Belém'),
  'America/Araguaina': t('Araguaína'),
  'America/Santarem': t('Santarém'),
  'America/Campo_Grande': t('Campo Grande'),
  'America/Cuiaba': t('Cuiabá'),
  'America/Manaus': t('Manaus'),
  'America/Porto_Velho': t('Porto Velho'),
  'America/Boa_Vista': t('Boa Vista'),
  'America/Rio_Branco': t('Rio Branco'),
  'America/Eirunepe': t('Eirunepé'),
} as const

/** Returns the selectable time zones: Brazil's first, then the browser's; `chosen` is always included. */
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
