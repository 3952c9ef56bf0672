import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { channelConfigs, noCapabilities } from '#providers/channels/configs.ts'
import { withProduct } from '#test/server.ts'
import { breakable, broken, type Flag } from './broken.ts'
import { sampleConfig } from './sample/config.ts'
import { openGateway } from './sample/contact.ts'
import { check, unproven } from './suite.ts'
import { worldOf } from './world.ts'

const channels = join(import.meta.dirname, '../../src/providers/channels')

describe('the suite of channels', () => {
  const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
  const whole = channelAdapters['sample']!
  let leaveOut: ReturnType<typeof breakable>
  let world: Awaited<ReturnType<typeof worldOf>>
  beforeAll(async () => {
    leaveOut = breakable(sampleConfig)
    world = await worldOf(product(), sampleConfig, `${import.meta.dirname}/sample`, openGateway)
  })
  afterAll(async () => {
    channelAdapters['sample'] = whole
    await world.end.close()
  })

  const flags = Object.keys(noCapabilities) as Flag[]

  test.each(flags.filter((flag) => broken[flag]?.by === 'sample'))(
    'notices an adapter that does not do it: %s',
    async (flag) => {
      leaveOut(flag)
      await expect(check({ ...world, patienceMs: 1500 }, flag)).rejects.toThrow()
      leaveOut(null)
    },
  )

  test('of each capability a channel that has it is tried without, but where the product itself keeps it', () => {
    for (const flag of flags) {
      const by = broken[flag]?.by
      const config = [sampleConfig, ...channelConfigs].find(({ id }) => id === by)
      if (by) expect(config?.capabilities[flag], flag).not.toEqual(noCapabilities[flag])
      else expect(['begins', 'windowHours', 'freeHoursAfterAd', 'smsParts', 'optOut']).toContain(flag)
    }
  })

  test('a claim without a test is found; every channel of the product passes through the suite', () => {
    expect(unproven({ ...sampleConfig, capabilities: { ...noCapabilities, ...({ flies: true } as object) } })).toEqual([
      'flies',
    ])
    const folders = readdirSync(channels, { withFileTypes: true }).filter((one) => one.isDirectory())
    expect(folders.length).toBeGreaterThan(1)
    for (const { name } of folders) {
      expect(readFileSync(join(channels, name, 'adapter.test.ts'), 'utf8')).toContain('channelSuite(')
      expect(unproven(channelConfigs.find(({ id }) => id === name)!)).toEqual([])
    }
  })
})
