import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { startValues } from '#kit/provider.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import { identityConfigs } from '#providers/identity/configs.ts'
import { mailConfigs } from '#providers/mail/configs.ts'
import { sampleConfig } from '#test/channels/sample/config.ts'
import { FieldInput } from './field.tsx'
import { ProviderFields } from './ProviderFields.tsx'

const drawn = (values: object, errors = {}) =>
  renderToStaticMarkup(
    <MantineProvider>
      <ProviderFields fields={sampleConfig.fields} values={{ ...values }} errors={errors} set={() => {}} />
    </MantineProvider>,
  )

test('a form is drawn from a config alone: every field with its name, what is required, what is said of it', () => {
  const form = drawn(startValues(sampleConfig.fields))
  for (const { label, hint = '' } of Object.values(sampleConfig.fields)) {
    expect(form).toContain(label)
    expect(form).toContain(hint)
  }
  expect(form.match(/ required=""/g)!.length).toBeGreaterThanOrEqual(3)
  expect(form).toContain('Pombo')
})

test('a secret that is kept stands there by its end, not as one that could be read', () => {
  const form = drawn({ ...startValues(sampleConfig.fields), token: '••••1234' })
  expect(form).toMatch(/value="••••1234"/)
  expect(form).toContain('Guardado e cifrado')
  expect(drawn({ ...startValues(sampleConfig.fields), token: '' })).not.toContain('Guardado e cifrado')
})

test('what is wrong stands at its field', () => {
  expect(drawn(startValues(sampleConfig.fields), { loft: 'Este pombal não existe.' })).toContain(
    'Este pombal não existe.',
  )
})

test('a change takes along what usually goes with it, and nothing else', () => {
  const { fields } = mailConfigs[0]
  const set = vi.fn()
  const values = startValues(fields)
  const { props } = ProviderFields({ fields, values, errors: {}, set })
  const inputs = props.children as {
    props: { children: { type: unknown; props: { onChange: (v: unknown) => void } } }
  }[]
  const input = inputs[Object.keys(fields).indexOf('emailSecure')]!.props.children
  expect(input.type).toBe(FieldInput)
  input.props.onChange('tls')
  expect(Object.fromEntries(set.mock.calls)).toEqual({ emailSecure: 'tls', emailPort: 465 })
})

test('no field of a provider is named as what every connection has', () => {
  const all = [...channelConfigs, ...mailConfigs, ...identityConfigs].flatMap(({ fields }) => Object.keys(fields))
  expect(all.filter((name) => ['type', 'name', 'queueId', 'config'].includes(name))).toEqual([])
})
