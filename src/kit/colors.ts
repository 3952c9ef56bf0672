import { z } from 'zod'
import { keysIn, recordOf } from '#domain/keys.ts'
import { color, text } from './fields.ts'

/** Names of the colours that a company chooses (product facts 2.8); the design uses their hue and chroma. */
export const colorNames = {
  primary: 'Primária',
  secondary: 'Secundária',
  accent: 'Destaque',
  positive: 'Positiva',
  negative: 'Negativa',
  warning: 'Alerta',
  neutral: 'Neutra',
  light: 'Fundo',
} as const

/** Name of a colour. */
export type ColorName = keyof typeof colorNames

const shape = recordOf(keysIn(colorNames), () => color.optional())

/**
 * Schema of colour maps, each colour once. Any hue is permitted: lightness is the design's own, so that every colour stays
 * readable in both modes (`web/ui/tokens.css`).
 */
export const colorMaps = z
  .array(z.strictObject({ label: text(40).optional(), ...shape }))
  .max(20)
  .superRefine((maps, check) => {
    const seen = new Set<string>()
    for (const [index, { label: _, ...colors }] of maps.entries()) {
      for (const name of Object.keys(colors)) {
        if (seen.has(name))
          check.addIssue({ code: 'custom', path: [index, name], message: 'Esta cor já está na lista.' })
        seen.add(name)
      }
    }
  })

/** Colours of a company or the installation. */
export type ColorMaps = z.output<typeof colorMaps>
