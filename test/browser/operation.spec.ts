import { expect } from '@playwright/test'
import { settled, sitDown } from './pages/person.ts'
import { demoPeople, test } from './pages/product.ts'

test('the superadmin reads load, version, jobs and environment, from the menu', { tag: '@wide' }, async ({
  demo,
  browser,
}) => {
  const { page, complaints } = await sitDown(browser, demo, demoPeople.superadmin)
  await page.goto('/tenantsQueue')
  const entry = (name: string) =>
    page.getByRole('navigation', { name: 'Instalação' }).getByRole('link', { name, exact: true })
  await expect(page.getByRole('heading', { name: 'Filas de Tarefas' })).toBeVisible()
  await page.mouse.move(20, 450)
  await entry('Monitor').click()
  await expect(page.getByRole('meter', { name: 'Memória' })).toBeVisible()
  await expect(page.getByText('Funcionando', { exact: true })).toBeVisible()
  await entry('Versão e atualização').click()
  await expect(page.getByText('O que está instalado')).toBeVisible()
  await expect(page.getByText('Em dia')).toBeVisible()
  await entry('Ambiente e pacotes').click()
  await page.getByRole('textbox', { name: 'Buscar por nome ou valor' }).fill('database_url')
  await expect(page.getByText('Variáveis de Ambiente')).toBeVisible()
  await settled(page)
  await expect(page.getByText(/:\/\/[^•\s]+:[^•\s]+@/)).toHaveCount(0)
  expect(complaints).toEqual([])
})
