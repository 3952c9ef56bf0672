import { expect, type Locator, type Page } from '@playwright/test'
import { attendance } from './pages/attendance.ts'
import { settled, sitDown } from './pages/person.ts'
import { company, demoPeople, test } from './pages/product.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Opens the first conversation of the list and returns its address. */
async function openFirst(page: Page): Promise<string> {
  await page.goto('/atendimento')
  await settled(page)
  await attendance(page).list.getByRole('link').first().click()
  await expect(attendance(page).conversation).toBeVisible()
  await settled(page)
  return page.url()
}

test('Esc closes what lies on top, one layer after the other, and the conversation last', async ({ demo, browser }) => {
  const { context, page } = await sitDown(browser, demo, demoPeople.user)
  const address = await openFirst(page)
  const esc = () => page.keyboard.press('Escape')
  const files = page.getByRole('heading', { name: 'Mídia, links e documentos' })
  await page.getByRole('button', { name: 'Buscar na conversa' }).click()
  const search = page.getByRole('textbox', { name: 'Buscar nesta conversa' })
  await expect(search).toBeVisible()
  await page.getByRole('button', { name: 'Mídia, links e documentos' }).click()
  await expect(files).toBeVisible()
  const more = page.getByRole('button', { name: 'Mais ações do atendimento' })
  await more.click()
  await expect(page.getByRole('menu')).toBeVisible()

  await more.focus() // as before the menu has received the focus
  await esc()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(files).toBeVisible()
  await esc()
  await expect(files).toHaveCount(0)
  await expect(search).toBeVisible()
  await esc()
  await expect(search).toHaveCount(0)
  await expect(page).toHaveURL(address)
  await esc()
  await expect(page).toHaveURL(/\/atendimento\/chats\//)
  await context.close()
})

test('on a phone the way back closes the panel step by step before the conversation', { tag: '@wide' }, async ({
  demo,
  browser,
}) => {
  const { context, page } = await sitDown(browser, demo, demoPeople.user, phone)
  const address = await openFirst(page)
  await page.getByTitle('Dados do contato').click()
  const drawer = page.getByRole('dialog', { name: 'Dados do contato' })
  await drawer.getByRole('button', { name: 'Mídia, links e documentos' }).click()
  await expect(drawer.getByRole('heading', { name: 'Mídia, links e documentos' })).toBeVisible()
  await page.goBack()
  await expect(drawer.getByRole('heading', { name: 'Mídia, links e documentos' })).toHaveCount(0)
  await expect(drawer).toBeVisible()
  await page.goBack()
  await expect(drawer).toHaveCount(0)
  await expect(page).toHaveURL(address)
  await page.goBack()
  await expect(attendance(page).list).toBeVisible()
  await context.close()
})

test('what opens under the pointer in the rail moves no button', { tag: '@wide' }, async ({ demo, browser }) => {
  const { context, page } = await sitDown(browser, demo, demoPeople.user)
  await openFirst(page)
  const rail = page.getByRole('group', { name: 'Navegação' })
  const places = async () => {
    const found = new Map<string, number[]>()
    for (const button of await rail.locator('a, button').all()) {
      const icon = button.locator('svg, [class*=avatar]').first()
      const box = (await icon.count()) > 0 ? await icon.boundingBox() : null
      const name = (await button.innerText()).split('\n')[0] ?? ''
      if (box)
        found.set((await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? name, [
          Math.round(box.x),
          Math.round(box.y),
        ])
    }
    return found
  }
  const before = await places()
  await rail.hover({ position: { x: 30, y: 200 } })
  await expect(rail.getByText('Contatos', { exact: true })).toBeVisible()
  await expect(rail).toHaveCSS('width', '232px')
  const after = await places()
  expect(before.delete('Guichê, início')).toBe(true) // it grows by its name
  expect(before.has('Buscar ou executar')).toBe(true)
  for (const [name, place] of before) expect([name, after.get(name)]).toEqual([name, place])
  await context.close()
})

test('a toast covers nothing that can be pressed', { tag: '@wide' }, async ({ demo, browser }) => {
  for (const options of [{}, { viewport: { width: 1024, height: 768 } }]) {
    const { context, page } = await sitDown(browser, demo, demoPeople.admin, options)
    await openFirst(page)
    const message = page.getByRole('log', { name: 'Mensagens' }).getByRole('article').last()
    await message.hover()
    await message.getByRole('button', { name: 'Opções da mensagem' }).click()
    await page.getByRole('menuitem', { name: 'Copiar texto' }).click()
    const toast = page.getByRole('region', { name: 'Avisos' }).getByRole('group')
    await expect(toast).toBeVisible()
    const covered = await page.evaluate(() => {
      const stack = document.querySelector('[aria-label="Avisos"]')!
      const mine = stack.getBoundingClientRect()
      return [
        ...document.querySelectorAll('header button, header a, [role=toolbar] button, form button, nav a, main button'),
      ]
        .filter((one) => {
          const box = one.getBoundingClientRect()
          const meets = box.left < mine.right && mine.left < box.right && box.top < mine.bottom && mine.top < box.bottom
          const isRow = box.width * box.height > 30_000
          return meets && !isRow && one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        })
        .map((one) => one.outerHTML.slice(0, 120))
    })
    expect(covered).toEqual([])
    await page.getByRole('button', { name: 'Fechar aviso' }).click()
    await expect(toast).toHaveCount(0)
    await context.close()
  }
})

test('where work would be lost, Enter goes on editing', { tag: '@wide' }, async ({ demo, browser }) => {
  const { context, page } = await sitDown(browser, demo, demoPeople.admin)
  await page.goto('/contatos')
  await settled(page)
  await page.getByRole('button', { name: 'Novo contato' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /^Nome/ }).first().fill('Alguém novo')
  await page.keyboard.press('Escape')
  const stay = page.getByRole('button', { name: 'Continuar editando' })
  await expect(stay).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(stay).toHaveCount(0)
  await expect(page.getByRole('dialog').getByRole('textbox', { name: /^Nome/ }).first()).toHaveValue('Alguém novo')
  await context.close()
})

test('a name of a button is never cut off', { tag: '@wide' }, async ({ demo, browser }) => {
  const { context, page } = await sitDown(browser, demo, demoPeople.user)
  await openFirst(page)
  for (const name of ['Anexar arquivo', 'Iniciar conversa', 'Dados do contato', 'Buscar na conversa']) {
    const button = page.getByRole('button', { name, exact: true }).last()
    await button.hover()
    const words = button.locator('xpath=following-sibling::*[1]')
    await expect(words).toHaveCSS('opacity', '1')
    const cut = await words.evaluate((one) => {
      const own = one.getBoundingClientRect()
      let pane = one.parentElement
      while (pane && getComputedStyle(pane).overflowX === 'visible') pane = pane.parentElement
      const { left, right } = (pane ?? document.documentElement).getBoundingClientRect()
      return own.left < left || own.right > Math.min(right, innerWidth)
    })
    expect([name, cut]).toEqual([name, false])
  }
  await context.close()
})

/** Returns an element's box once it no longer moves; parts that load late may shift it. */
async function stillBox(target: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  let before = ''
  await expect
    .poll(
      async () => {
        const now = JSON.stringify(await target.boundingBox())
        const isStill = now === before
        before = now
        return isStill
      },
      { intervals: [250] },
    )
    .toBe(true)
  return JSON.parse(before)
}

test('a finger that rests opens the menu of a message and of a row; one that moves does not', { tag: '@wide' }, async ({
  demo,
  browser,
}) => {
  const { context, page } = await sitDown(browser, demo, demoPeople.user, phone)
  await page.goto('/atendimento')
  await settled(page)
  const session = await context.newCDPSession(page)
  const press = async (selector: string, by = 0) => {
    const target = page.locator(selector).last()
    const box = await stillBox(target)
    const at = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 40) }
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    if (by > 0)
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ ...at, y: at.y - by }] })
    // The time itself is what is tested: a finger that stays down.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)))
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const menu = page.getByRole('menu')
  const row = '[role=listitem] [data-long-press] >> nth=2'
  await press(row, 60)
  await expect(menu).toHaveCount(0)
  await press(row)
  await expect(menu).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  // Its code is loaded now, so that it opens under the finger, which is lifted while it is open.
  await press(row)
  await expect(page.getByRole('menuitem', { name: 'Transferir' })).toBeFocused()
  await expect(menu).toBeVisible()
  await expect(menu.locator('kbd:visible')).toHaveCount(0)
  await expect(page).toHaveURL(/\/atendimento\/?$/)
  await page.keyboard.press('Escape')
  await openFirst(page)
  await press('article[data-long-press]')
  await expect(menu.getByRole('menuitem', { name: 'Copiar texto' })).toBeVisible()
  await context.close()
})

test('Esc asks each time before a changed form is left, answers the question alone, and the form keeps the focus', {
  tag: '@wide',
}, async ({ product, browser }) => {
  const { admin } = await company(product)
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/etiquetas?id=novo')
  const name = page.getByRole('textbox', { name: /^Nome da Etiqueta/ })
  const question = page.getByRole('dialog', { name: 'Descartar as alterações?' })
  // A drawer that opens after the first question receives keys after it; the one before it received them first.
  for (const turn of [1, 2]) {
    await name.fill(`Cliente ${turn}`)
    for (const _ of ['once', 'again']) {
      await page.keyboard.press('Escape')
      await expect(question).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      await expect(name).toBeFocused()
    }
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Descartar' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    if (turn === 1) await page.getByRole('button', { name: 'Nova etiqueta' }).click()
  }
  expect(complaints).toEqual([])
  await context.close()
})
