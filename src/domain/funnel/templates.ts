import { itemAt } from '../present.ts'

/** Stage in an editor, before it is stored. */
export type StageDraft = {
  readonly name: string
  readonly color: string
  /** Probability in percent. */
  readonly chance: number
  readonly staleDays: number
}

/** Pipeline template for an industry. */
export type Template = { readonly trade: string; readonly name: string; readonly stages: readonly StageDraft[] }

const COLORS = ['#12A594', '#4A90E2', '#C8821E', '#9179DF', '#3E9B5F', '#D0547A', '#6C757D'] as const

const template = (
  trade: string,
  name: string,
  ...stages: readonly (readonly [name: string, chance: number, staleDays?: number])[]
): Template => ({
  trade,
  name,
  stages: stages.map(([stage, chance, staleDays = 15], index) => ({
    ...{ name: stage, chance, staleDays },
    color: itemAt(COLORS, index % COLORS.length),
  })),
})

/** Pipeline templates. */
export const TEMPLATES: readonly Template[] = [
  template(
    'Loja e varejo',
    'Vendas da loja',
    ['Primeiro contato', 10, 3],
    ['Escolha do produto', 30, 5],
    ['Orçamento enviado', 50, 7],
    ['Negociação', 70, 7],
    ['Pagamento', 90, 3],
  ),
  template(
    'Móveis e reformas',
    'Projetos',
    ['Primeiro contato', 10, 5],
    ['Medição', 30, 10],
    ['Proposta enviada', 50],
    ['Negociação', 70],
    ['Fechamento', 90, 10],
  ),
  template(
    'Imobiliária',
    'Imóveis',
    ['Interesse', 5, 7],
    ['Perfil e busca', 15, 10],
    ['Visita', 35],
    ['Proposta', 60],
    ['Documentação', 85, 30],
    ['Assinatura', 95],
  ),
  template(
    'Clínica e saúde',
    'Novos pacientes',
    ['Contato', 20, 2],
    ['Avaliação marcada', 40, 7],
    ['Avaliação feita', 60, 7],
    ['Plano apresentado', 75, 10],
    ['Tratamento aceito', 95, 7],
  ),
  template(
    'Cursos e escolas',
    'Matrículas',
    ['Interessado', 10, 5],
    ['Visita ou aula experimental', 35, 7],
    ['Bolsa e condições', 60, 7],
    ['Contrato enviado', 85, 7],
    ['Matrícula', 95, 5],
  ),
]
