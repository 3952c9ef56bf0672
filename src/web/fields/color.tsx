import { ColorInput } from '@mantine/core'
import type { ColorField } from '#kit/fields/color.ts'
import { squareColor } from '../ui/identity/hue.ts'
import css from './fields.module.css'
import { shownOf, type WebKind } from './kind.tsx'

/** Colours on offer for queues, tags and stages: one per hue of the design, distinguishable in both modes. */
const swatches = [
  '#B4468F',
  '#7D5BC4',
  '#3874B6',
  '#2B8FA8',
  '#2BA38F',
  '#3F9A4D',
  '#8C9A1F',
  '#C17513',
  '#D2603A',
  '#A82D28',
]

/** Input of a colour; a square of it in a list. */
export const color: WebKind<ColorField, string> = {
  Input: (props) => (
    <ColorInput
      {...shownOf(props)}
      format="hex"
      withEyeDropper={false}
      swatches={swatches}
      swatchesPerRow={10}
      value={props.value}
      onChange={props.onChange}
    />
  ),
  Cell: ({ value }) => (
    <span className={css.color}>
      <i style={{ background: squareColor(value) }} title={value} />
      <span className="g-hidden">{value}</span>
    </span>
  ),
}
