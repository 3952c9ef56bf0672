import { expect, test } from 'vitest'
import { labConfig } from '#providers/channels/lab/config.ts'
import { sampleConfig } from '#test/channels/sample/config.ts'
import { providerScreens } from './provider-screens.ts'

test('only what is set once for all connections has a screen and an entry in the menu', () => {
  expect(providerScreens([labConfig])).toEqual([])
  expect(providerScreens([labConfig, sampleConfig])).toMatchObject([
    {
      ...{ path: '/configuracoes/sample', title: 'Pombal central', can: 'connections:write' },
      menu: { group: 'Configuração e API' },
    },
  ])
})
