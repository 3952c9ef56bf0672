import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'

const reais = (maximumFractionDigits: number) =>
  new Intl.NumberFormat('pt-BR', {
    style: 'currency',
    currency: 'BRL',
    minimumFractionDigits: 2,
    maximumFractionDigits,
  })
const [whole, small] = [reais(2), reais(4)]

/** Formats an amount in R$; below one real with fractions of a cent. */
export const money = (amount: number): string => (Math.abs(amount) < 1 ? small : whole).format(amount)

/** Usage of a company in the month: budget (R$) and the plan's answers; a limit of 0 is none. */
export type Month = { cost: number; budget: number; answers: number; most: number }

/** Returns the warning about a company's month; null if below all limits. */
export const monthText = (month: Month): string | null => answersText(month) ?? budgetText(month)

function answersText({ answers, most }: Month): string | null {
  if (most <= 0 || answers < most * 0.8) return null
  const about = { answers: formatNumber(answers), most: formatNumber(most) }
  return answers < most
    ? t('Os assistentes já deram {answers} das {most} respostas que o plano dá por mês.', about)
    : t('As {most} respostas de IA do plano acabaram: as pessoas atendem até o mês virar.', about)
}

function budgetText({ cost, budget }: Month): string | null {
  if (budget <= 0 || cost < budget * 0.8) return null
  const share = Math.floor((cost / budget) * 100)
  const about = { share, budget: money(budget) }
  return cost < budget
    ? t('Os assistentes já gastaram {share}% do orçamento do mês ({budget}).', about)
    : t('O orçamento do mês ({budget}) acabou: as pessoas atendem até o mês virar, ou até ele ser aumentado.', about)
}
