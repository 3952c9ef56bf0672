import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { rootTarget } from '#domain/access/menu.ts'
import type { Product } from '#test/product.ts'
import { eachOpening, layers } from './pages/openings.ts'
import { settled, sitDown } from './pages/person.ts'
import { demoPeople, test } from './pages/product.ts'
import { batches, cases, everyCase, isFor, opened, pathsOf, type ScreenCase } from './pages/screen-cases.ts'
import { screens } from './pages/screens.ts'

const titled = (title: string) => new RegExp(`^(\\(\\d+\\) )?${title.replace(/[()]/g, '\\$&')} · Guichê$`)

/** Returns the address of a screen's path; its parameters name the demo's newest open ticket. */
async function addressOf(path: string, { platform }: Product): Promise<string> {
  if (!path.includes('$')) return path
  const { ticket, campaign } = await platform.db.asPlatform(async (db) => ({
    ticket: await db
      .selectFrom('tickets')
      .select('id')
      .where('status', '=', 'open')
      .orderBy('last_message_at', 'desc')
      .executeTakeFirstOrThrow(),
    campaign: await db
      .selectFrom('dispatches')
      .select('id')
      .where('kind', '=', 'campaign')
      .orderBy('id')
      .executeTakeFirstOrThrow(),
  }))
  return path.replace('$ticketId', String(ticket.id)).replace('$campanhaId', String(campaign.id))
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name })

// Role with most screens; in the wide round also those with other screens, and the one redirected most.
for (const profile of ['user', 'admin', 'superadmin'] as const) {
  const tag = profile === 'admin' ? [] : ['@wide']
  test(`${profile} opens every screen, and is sent away from those of others`, { tag }, async ({ demo, browser }) => {
    const { context, page, complaints } = await sitDown(browser, demo, demoPeople[profile])
    await page.goto('/')
    await expect(page).toHaveURL(rootTarget(profile))
    for (const screen of screens) {
      for (const path of pathsOf(screen)) {
        const address = await addressOf(path, demo)
        await test.step(address, async () => {
          // Navigates as a link does; full page loads of every screen are among the wide tests.
          await page.evaluate((to) => history.pushState({}, '', to), address)
          if (isFor(screen, profile)) {
            await expect(page).toHaveTitle(titled(screen.title))
            await expect(page).toHaveURL(address)
          } else {
            const isWay = address === '/home' && profile === 'superadmin'
            await expect(page).toHaveURL(isWay ? '/tenants' : rootTarget(profile))
            await expect(page.getByText('Acesso negado')).toHaveCount(isWay ? 0 : 1)
            if (!isWay) await page.getByRole('button', { name: 'Fechar aviso' }).click()
          }
          await settled(page)
          await expect(heading(page, 'Esta tela parou de funcionar')).toHaveCount(0)
          await expect(heading(page, 'Não foi possível carregar')).toHaveCount(0)
          expect(complaints.splice(0), address).toEqual([])
        })
      }
    }
    await context.close()
  })
}

test('addresses that do not exist say so and lead home; old ones lead to the new', async ({ demo, browser }) => {
  const { context, page, complaints } = await sitDown(browser, demo, demoPeople.admin)
  await page.goto('/isto-nao-existe')
  await expect(heading(page, 'Esta página não existe')).toBeVisible()
  await page.getByRole('button', { name: 'Ir para o início' }).click()
  await expect(page).toHaveURL(rootTarget('admin'))
  const old = screens
    .filter((screen) => isFor(screen, 'admin'))
    .flatMap(({ redirects = {} }) => Object.entries(redirects))
  expect(old.length).toBeGreaterThan(0)
  for (const [from, to] of old) {
    await page.goto(from)
    await expect(page).toHaveURL(to)
  }
  expect(complaints).toEqual([])
  await context.close()
})

/**
 * Returns the page and its scrolling boxes whose content is wider than they are, and so cut off. Also the page itself if it
 * scrolls below its foot.
 */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((box) => {
        // A board is walked in both directions.
        if (box.hasAttribute('data-canvas')) return false
        const scrollsDown = getComputedStyle(box).overflowY === 'auto' && box.scrollHeight > box.clientHeight
        const isPage = box === document.documentElement
        const isTooTall = isPage && box.scrollHeight > box.clientHeight + 1
        return isTooTall || ((scrollsDown || isPage) && box.scrollWidth > box.clientWidth + 1)
      })
      .map((box) => {
        const [is, has] = [`${box.scrollWidth} × ${box.scrollHeight}`, `${box.clientWidth} × ${box.clientHeight}`]
        return `${box.tagName} ${box.id} ${box.className}: ${is} in ${has}`
      }),
  )

/** Returns the tables of a page whose columns are wider than their box. */
const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')].flatMap((table) => {
      const { scrollWidth, clientWidth } = table.parentElement!
      return scrollWidth > clientWidth + 1 ? [`${table.ariaLabel}: ${scrollWidth} in ${clientWidth}`] : []
    }),
  )

const opening = `${layers}, [data-opening]`
const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Runs axe on the current page, or on parts of it; returns one line per violation. */
async function faults(page: Page, where: string, except: string[] = [], within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).withTags(conformance).disableRules(except)
  const { violations } = await (within ? axe.include(within) : axe).analyze()
  return violations.map(({ id, nodes }) => `${where} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Returns menu entries that do not look like plain rows: an entry has no border and no gap below it. */
const oddEntries = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role^=menuitem], [data-combobox-option]')]
      .filter((one) => {
        const { borderTopWidth, marginBottom, minHeight } = getComputedStyle(one)
        return borderTopWidth !== '0px' || marginBottom !== '0px' || Number.parseFloat(minHeight) < 34
      })
      .map((one) => one.outerHTML.slice(0, 200)),
  )

/** Opens every layer of a page and runs axe on it, except on the page below, which was checked before. */
const checkOpenings = (page: Page, address: string) =>
  eachOpening(page, async (name) => {
    await settled(page)
    // A list of options is scrolled by the arrow keys of its field, which axe does not see.
    expect.soft(await faults(page, `${address} › ${name}`, ['scrollable-region-focusable'], opening)).toEqual([])
    expect.soft(await oddEntries(page), `${address} › ${name}`).toEqual([])
  })

/** Returns the pairs of values of any two properties that occur together in a case. */
function pairsOf(some: Iterable<ScreenCase>, without: readonly string[] = []): string[] {
  const found = new Set<string>()
  for (const one of some)
    for (const a of ['path', 'profile', 'width', 'theme'] as const)
      for (const b of ['path', 'profile', 'width', 'theme'] as const)
        if (a < b && !without.includes(`${a} ${b}`)) found.add(`${a} ${one[a]}, ${b} ${one[b]}`)
  return [...found].sort()
}

test('the wide tests look at every pair of screen, role, width and theme, and open everything at every pair but one', {
  tag: '@wide',
}, () => {
  const known = screens.flatMap((screen) => pathsOf(screen).map((path) => `path ${path}, width 390`))
  expect(pairsOf(everyCase)).toEqual(expect.arrayContaining([...known, 'profile user, theme dark']))
  expect(pairsOf(cases)).toEqual(pairsOf(everyCase))
  expect(pairsOf(opened, ['path profile'])).toEqual(pairsOf(everyCase, ['path profile']))
  const tested = batches().flatMap((batch) => batch.cases)
  expect([tested.length, new Set(tested)]).toEqual([cases.length, new Set(cases)])
  expect(cases.length).toBeLessThan(everyCase.length / 3)
})

for (const { name, cases } of batches()) {
  test(`every screen fits and is accessible: ${name} @wide`, async ({ demo, browser }) => {
    test.setTimeout(300_000)
    const { profile, width, theme } = cases[0]!
    const viewport = { width, height: width === 390 ? 844 : 900 }
    const calm = { viewport, colorScheme: theme, hasTouch: width === 390, reducedMotion: 'reduce' } as const
    const { context, page } = await sitDown(browser, demo, demoPeople[profile], calm)
    for (const one of cases) {
      const address = await addressOf(one.path, demo)
      await test.step(address, async () => {
        const { title } = screens.find((screen) => pathsOf(screen).includes(one.path))!
        await page.goto(address)
        await expect(page).toHaveTitle(titled(title))
        await settled(page)
        const file = `test-results/screens/${address.slice(1).replace(/\W+/g, '-')}-${profile}-${width}-${theme}.png`
        await page.screenshot({ path: file })
        expect.soft(await faults(page, address)).toEqual([])
        expect.soft(await cutOff(page), address).toEqual([])
        if (width === 1440) expect.soft(await cutTables(page), address).toEqual([])
        if (opened.has(one)) await checkOpenings(page, address)
      })
    }
    await context.close()
  })
}
