import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MaskedInput, TEXT_ROWS, TextArea } from './fields.tsx'

const drawn = (element: React.ReactNode) => renderToStaticMarkup(<MantineProvider>{element}</MantineProvider>)

test('a text area has six rows, and one when it grows with its text', () => {
  expect(TEXT_ROWS).toEqual({ fixed: 6, growing: 1 })
  expect(drawn(<TextArea aria-label="Texto" />)).toMatch(/<textarea[^>]* rows="6"/)
  expect(drawn(<TextArea aria-label="Texto" grow />)).not.toMatch(/rows="6"/)
  expect(drawn(<TextArea aria-label="Texto" rows={3} />)).toMatch(/rows="3"/)
})

test('a masked input shows its value with the mask that fits it', () => {
  const shown = (value: string) =>
    drawn(<MaskedInput mask={(text) => (text.length > 3 ? 'cep' : 'time')} value={value} onChange={() => {}} />)
  expect(shown('143')).toContain('value="14:3"')
  expect(shown('13083970')).toContain('value="13083-970"')
})
