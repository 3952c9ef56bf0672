import { t } from '#web/t.ts'

const reais = (maximumFractionDigits: number) =>
  new Intl.NumberFormat('pt-BR', {
    style: 'currency',
    currency: 'BRL',
    minimumFractionDigits: 2,
    maximumFractionDigits,
  })
const [whole, small] = [reais(2), reais(4)]

/** An amount in R$; below one real with the fractions of a cent that calls cost. */
export const money = (amount: number): string => (Math.abs(amount) < 1 ? small : whole).format(amount)

/** What is to be said of a company's budget; null while there is room. */
export function budgetText({ cost, budget }: { cost: number; budget: number }): string | null {
  if (budget <= 0 || cost < budget * 0.8) return null
  const share = Math.floor((cost / budget) * 100)
  const about = { share, budget: money(budget) }
  return cost < budget
    ? t('Os assistentes já gastaram {share}% do orçamento do mês ({budget}).', about)
    : t('O orçamento do mês ({budget}) acabou: as pessoas atendem até o mês virar, ou até ele ser aumentado.', about)
}
