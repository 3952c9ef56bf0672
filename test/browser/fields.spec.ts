import { expect, type Locator, type Page } from '@playwright/test'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const drawer = (page: Page) => page.getByRole('dialog', { name: 'Novo contato' })
const field = (page: Page, name: string) => drawer(page).getByRole('textbox', { name, exact: true })
const caret = (input: Locator) => input.evaluate((one: HTMLInputElement) => one.selectionStart)

test('fields dress what is written, by keyboard alone', { tag: '@wide' }, async ({ product, browser }) => {
  const { admin } = await company(product)
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/contatos')
  await page.getByRole('button', { name: 'Novo contato' }).click()
  await field(page, 'Nome').fill('Bruna Prado')

  await test.step('a mask shows the places to come and keeps the caret in the middle', async () => {
    const born = field(page, 'Data de aniversário')
    await born.focus()
    await expect(born).toHaveValue('__/__/____')
    await page.keyboard.type('14031968')
    await expect(born).toHaveValue('14/03/1968')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('5')
    await expect(born).toHaveValue('15/03/1968')
    expect(await caret(born)).toBe(2)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Backspace') // over the slash
    await expect(born).toHaveValue('10/31/968_')
    expect(await caret(born)).toBe(1)
    await page.keyboard.type('4')
    await expect(born).toHaveValue('14/03/1968')
    await born.blur()
    const document = field(page, 'CPF/CNPJ')
    await document.focus()
    await page.keyboard.type('11222333000181')
    await expect(document).toHaveValue('11.222.333/0001-81')
    await document.fill('12abc34501de35')
    await expect(document).toHaveValue('12.ABC.345/01DE-35')
    await document.fill('318.604.927-03')
  })

  await test.step('a phone number belongs to a country', async () => {
    const number = field(page, 'Número')
    const country = drawer(page).getByRole('button', { name: /^País:/ })
    await expect(country).toHaveAccessibleName('País: Brasil, +55, BR')
    await number.focus()
    await page.keyboard.type('1998124407')
    await expect(number).toHaveValue('+55 (19) 98124-407')
    await number.blur()
    await expect(number).toHaveValue('+55 (19) 99812-4407') // the ninth digit
    await number.fill('(20) 99812-4407')
    await number.blur()
    await expect(number).toHaveAccessibleDescription(/^Este número não existe neste país\./)
    await number.fill('')
    await country.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('esta')
    await expect(page.getByRole('option', { name: /Estados Unidos/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(number).toBeFocused()
    await expect(drawer(page)).toBeVisible()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.type('portugal')
    await page.keyboard.press('Enter')
    await expect(country).toHaveAccessibleName('País: Portugal, +351, PT')
    await expect(number).toBeFocused()
    await page.keyboard.type('91234567')
    await page.keyboard.press('Tab')
    await expect(number).toHaveAccessibleDescription(/^Faltam dígitos neste número\./)
    // A rejected field is scrolled into view.
    await drawer(page).getByRole('tab').nth(1).click()
    await expect(number).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await expect(number).toBeVisible()
    await number.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('8')
    await expect(number).toHaveValue('+351 912 345 678')
  })

  await test.step('Enter and Space press a toggle, and the form is not sent', async () => {
    const block = drawer(page).getByRole('switch', { name: /Bloquear contato/ })
    const pressed: number[] = []
    await page.exposeFunction('pressed', (key: number) => pressed.push(key))
    await page.evaluate(() =>
      addEventListener(
        'keydown',
        ({ keyCode }) => (window as unknown as { pressed: (key: number) => void }).pressed(keyCode),
        true,
      ),
    )
    await block.focus()
    await page.keyboard.press('Enter')
    await expect(block).toBeChecked()
    await page.keyboard.press('Space')
    await expect(block).not.toBeChecked()
    expect(pressed).toEqual([13, 32])
    await expect(drawer(page)).toBeVisible()
  })

  const stored = page.waitForResponse(
    (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/contacts'),
  )
  await page.keyboard.press('Control+Enter')
  const { number, cpf, birthdayDate } = await (await stored).json()
  expect({ number, cpf, birthdayDate }).toEqual({
    number: '351912345678',
    cpf: '31860492703',
    birthdayDate: '1968-03-14',
  })
  expect(complaints).toEqual([])
  await context.close()
})

test('checkboxes and radios take Enter, a question has its answer focused, a notification stands at the top', {
  tag: '@wide',
}, async ({ product, browser }) => {
  const { admin, tenantId, made } = await company(product)
  await made.contact(tenantId, { name: 'Edson Kobayashi', number: '5511966713028' })
  const { page, complaints, context } = await sitDown(browser, product, admin)
  await page.goto('/contatos')
  await page.getByRole('button', { name: /^Colunas/ }).click()
  const column = page.getByRole('checkbox', { name: 'CPF/CNPJ' })
  await column.focus()
  await page.keyboard.press('Enter')
  await expect(column).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(column).not.toBeChecked()
  await page.keyboard.press('Escape')

  const row = page.getByRole('row', { name: /Edson/ })
  await expect(row.getByRole('button', { name: 'Mais ações' })).toHaveAccessibleDescription(/Edson/)
  const ask = async () => {
    await row.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: /Excluir/ }).click()
  }
  const question = page.getByRole('dialog', { name: /Excluir/ })
  const yes = question.getByRole('button', { name: /Excluir/ })
  const now = Date.now()
  await page.clock.setFixedTime(now)
  await ask()
  await expect(yes).toBeFocused()
  await page.keyboard.press('Enter') // too soon to have been meant
  await page.waitForTimeout(500) // a dialog that leaves has left by then
  await expect(question).toBeVisible()
  await page.clock.setFixedTime(now + 300)
  await page.keyboard.press('Enter')
  await expect(row).toHaveCount(0)
  const told = page.getByRole('region', { name: 'Avisos' }).getByRole('group')
  await expect(told).toHaveCount(1)
  // Below what a page has at its top.
  expect((await told.boundingBox())?.y).toBeGreaterThan(60)
  await told.getByRole('button', { name: 'Fechar aviso' }).click()
  await expect(told).toHaveCount(0)

  await made.contact(tenantId, { name: 'Nádia Ferraz', number: '5511966713029' })
  await page.goto('/atendimento')
  await page.getByRole('button', { name: 'Iniciar conversa' }).first().click()
  const person = page.getByRole('radio', { name: /Nádia/ })
  await person.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Nenhum canal ainda')
  await page.getByRole('dialog').getByRole('button', { name: 'Conectar um canal' }).click()
  await expect(page).toHaveURL(/\/sessoes$/)
  expect(complaints).toEqual([])
  await context.close()
})
