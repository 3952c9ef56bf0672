import { expect, type Page } from '@playwright/test'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

const toast = (page: Page, text: string) => page.getByRole('group').filter({ hasText: text })

test('settings are saved at once and undone, refused where they do not go together, and other windows follow', {
  tag: '@wide',
}, async ({ product, browser }) => {
  const { admin, made, tenantId } = await company(product)
  const other = await made.user(tenantId, { profile: 'admin', name: 'Bia Ramos' })
  const desk = await sitDown(browser, product, admin)
  const { page } = desk
  const window = await sitDown(browser, product, other)
  await page.goto('/configuracoes')
  await expect(page).toHaveURL('/configuracoes/geral')
  await window.page.goto('/configuracoes/geral')
  for (const one of [page, window.page]) await expect(one.getByText('Tudo no padrão')).toBeVisible()

  const option = (where: Page, name: string) => where.getByRole('switch', { name, exact: true })
  await option(page, 'Mostrar atendimentos sem fila').click({ force: true })
  await expect(toast(page, 'Salvo: ligado')).toBeVisible()
  await expect(option(window.page, 'Mostrar atendimentos sem fila')).toBeChecked({ timeout: 6000 })
  await option(page, 'Não visualizar atendimentos no chatbot').click({ force: true })
  await expect(toast(page, 'Não combina com “Mostrar atendimentos sem fila”')).toBeVisible()
  await expect(option(page, 'Não visualizar atendimentos no chatbot')).not.toBeChecked()
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await expect(option(page, 'Mostrar atendimentos sem fila')).not.toBeChecked()
  await expect(option(window.page, 'Mostrar atendimentos sem fila')).not.toBeChecked({ timeout: 6000 })

  await page.getByRole('searchbox', { name: 'Buscar ajuste' }).fill('antigos')
  await page.getByRole('link', { name: /^Filtrar atendimentos antigos/ }).click()
  await expect(option(page, 'Filtrar atendimentos antigos')).toBeFocused()
  await page.keyboard.press(' ') // notices lie over it
  await page.getByRole('searchbox', { name: 'Buscar ajuste' }).fill('')
  const days = page.getByRole('textbox', { name: 'Mostrar os últimos' })
  await days.fill('0')
  await days.press('Enter')
  await expect(page.getByText('Use um número inteiro de 1 a 3650.')).toBeVisible()
  await page.getByRole('link', { name: 'Contatos', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continuar editando' }).click()
  await expect(days).toHaveValue('0')
  await days.fill('7')
  await days.press('Enter')
  await expect(toast(page, 'Salvo: 7 dias')).toBeVisible()
  await expect(page.getByText('2 configurações diferentes do padrão')).toBeVisible()

  const brand = (where: Page) =>
    where.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--q-primary').trim())
  const usual = await brand(page)
  await page.getByRole('textbox', { name: 'Primária' }).fill('#1c5d99')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(() => brand(page)).toBe('#1c5d99')
  await expect.poll(() => brand(window.page), { timeout: 9000 }).toBe('#1c5d99')
  await page.getByRole('button', { name: 'Usar as do produto' }).click()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(() => brand(window.page), { timeout: 9000 }).toBe(usual)
  expect(desk.complaints.filter((line) => !/^(409|400) PUT/.test(line))).toEqual([])
  expect(window.complaints).toEqual([])
  await window.context.close()
  await desk.context.close()
})

test('a supervisor sets week, absence message and holidays; what is wrong is told at its day and loses nothing', {
  tag: ['@wide', '@hours'],
}, async ({ product, browser }) => {
  const { made, tenantId } = await company(product)
  const lead = await made.user(tenantId, { profile: 'super' })
  const { page, complaints, context } = await sitDown(browser, product, lead)
  await page.goto('/horario-atendimento')
  await expect(page.getByText('Aberto agora')).toBeVisible()
  const day = (name: string) => page.getByRole('group', { name, exact: true })
  const kind = (name: string) => day(name).getByRole('combobox', { name: `${name}: como é o dia` })
  const type = async (name: string, value: string) => {
    await kind(name).click()
    await page.getByRole('option', { name: value }).click()
  }

  await type('Segunda', 'Dois períodos')
  const from = day('Segunda').getByRole('textbox', { name: /primeiro período, início/ })
  await from.fill('1300')
  await expect(from).toHaveValue('13:00')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(day('Segunda').getByRole('alert')).toHaveText(
    'Segunda: o primeiro período precisa terminar depois de começar.',
  )
  await from.fill('0730')
  // By keyboard alone: to the working days and one more.
  await day('Segunda').getByRole('button', { name: 'Copiar Segunda para…' }).press('Enter')
  await page.getByRole('button', { name: 'Segunda a sexta' }).press('Enter')
  await page.getByRole('checkbox', { name: 'Sábado' }).press('Space')
  await page.getByRole('button', { name: 'Copiar', exact: true }).press('Enter')
  await expect(day('Segunda').getByRole('button', { name: 'Copiar Segunda para…' })).toBeFocused()
  await type('Sábado', 'Um período')
  await expect(day('Sábado').getByRole('textbox')).toHaveCount(2)
  await type('Domingo', 'Fechado')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Horário salvo')).toBeVisible()
  await page.reload()
  await expect(day('Sexta').getByRole('textbox', { name: /primeiro período, início/ })).toHaveValue('07:30')
  await expect(kind('Sexta')).toHaveValue('Dois períodos')
  await expect(kind('Domingo')).toHaveValue('Fechado')
  await expect(kind('Sábado')).toHaveValue('Um período')
  await expect(day('Sábado').getByRole('textbox', { name: /primeiro período, início/ })).toHaveValue('07:30')

  await page.getByRole('button', { name: /^Importar os nacionais de/ }).click()
  const christmas = page.getByRole('textbox', { name: 'Descrição de Natal' })
  await expect(christmas).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Fechado em Natal' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Fechado em Corpus Christi' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Adicionar feriado' }).click()
  await page.getByRole('textbox', { name: 'Descrição de novo feriado' }).fill('Aniversário da cidade')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(page.getByText('1 feriado precisa ser corrigido')).toBeVisible()
  await page.getByLabel('Dia de Aniversário da cidade').fill(`14/07/${new Date().getFullYear()}`)
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Feriados salvos')).toBeVisible()

  const message = page.getByRole('textbox', { name: 'Mensagem de Ausência' })
  await message.fill('Olá, ')
  await page.getByRole('button', { name: 'Primeiro nome do contato' }).click()
  await message.press('End')
  await message.pressSequentially('! Voltamos às 7h30. {{nada}}')
  await expect(page.getByText('Olá, Marlene! Voltamos às 7h30. {{nada}}')).toBeVisible()
  await expect(page.getByText(/Não existe a variável {{nada}}/)).toBeVisible()
  await message.fill('Olá, {{firstName}}!')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await expect(toast(page, 'Mensagem de ausência salva')).toBeVisible()
  expect(complaints.filter((line) => !/^400 PUT .*holidays/.test(line))).toEqual([])

  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await context.close()
})
