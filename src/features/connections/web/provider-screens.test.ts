import { expect, test } from 'vitest'
import { lookOf } from '#providers/channels/config.ts'
import { labConfig } from '#providers/channels/lab/config.ts'
import { sampleConfig } from '#test/channels/sample/config.ts'
import { providerScreens } from './provider-screens.ts'

test('only what is set once for all connections has a screen and an entry in the menu', () => {
  expect(providerScreens([lookOf(labConfig)])).toEqual([])
  expect(providerScreens([labConfig, sampleConfig].map(lookOf))).toMatchObject([
    {
      ...{ path: '/configuracoes/sample', title: 'Pombal central', can: 'connections:write' },
      menu: { place: 'settings', group: 'Canais e integrações' },
    },
  ])
})
