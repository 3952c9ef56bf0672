import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { t } from '#web/t.ts'
import { ContactsIcon, KanbanIcon, LocationIcon, TagIcon, TicketsIcon, UsersIcon, WalletIcon } from '#web/ui/icons.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { ContactsReport } from './ContactsReport.tsx'
import css from './reports.module.css'
import { TicketsReport } from './ticket-reports.tsx'
import { UsersReport } from './UsersReport.tsx'

type Known = {
  path: string
  Report: ComponentType
  title: string
  aim: string
  icon: ComponentType<{ size?: number | string }>
}

const REPORTS: readonly Known[] = [
  {
    path: 'atendimentos-por-parametros',
    Report: TicketsReport,
    title: t('Atendimentos'),
    aim: t('Os atendimentos de um período por status, fila, canal, motivo ou valor.'),
    icon: TicketsIcon,
  },
  {
    path: 'estatisticas-atendimentos-usuarios',
    Report: UsersReport,
    title: t('Resumo por Usuário'),
    aim: t('Quantos atendimentos cada pessoa tem pendentes, em atendimento e resolvidos.'),
    icon: UsersIcon,
  },
  {
    path: 'lista-contatos',
    Report: () => <ContactsReport by="period" />,
    title: t('Contatos'),
    aim: t('Os contatos criados em um período, com as informações extras.'),
    icon: ContactsIcon,
  },
  {
    path: 'contatos-por-etiquetas',
    Report: () => <ContactsReport by="tags" />,
    title: t('Contatos por Etiqueta'),
    aim: t('Quem tem uma ou várias etiquetas.'),
    icon: TagIcon,
  },
  {
    path: 'contatos-por-estado',
    Report: () => <ContactsReport by="state" />,
    title: t('Contatos por Estado'),
    aim: t('De onde são os contatos, pelo DDD do número.'),
    icon: LocationIcon,
  },
  {
    path: 'contatos-por-kanban',
    Report: () => <ContactsReport by="kanban" />,
    title: t('Contatos por Kanban'),
    aim: t('Quem está em cada etapa do kanban.'),
    icon: KanbanIcon,
  },
  {
    path: 'contatos-por-carteira',
    Report: () => <ContactsReport by="wallets" />,
    title: t('Contatos por Carteira'),
    aim: t('Os clientes da carteira de cada pessoa.'),
    icon: WalletIcon,
  },
]

/** One report by its address, or all of them, each with what it is for. */
export function Reports() {
  const { report } = useParams({ strict: false }) as { report?: string }
  const { Report } = REPORTS.find(({ path }) => path === report) ?? {}
  return Report ? <Report key={report} /> : <Cards />
}

function Cards() {
  return (
    <Page>
      <PageHeader
        title={t('Relatórios')}
        facts={t('Cada número abre as linhas que o formam e é recontado toda noite.')}
      />
      <ul className={css.reports}>
        {REPORTS.map(({ path, title, aim, icon: Icon }) => (
          <li key={path}>
            <Link to={`/relatorios/${path}` as never} className={css.report}>
              <Icon size={20} />
              <b>{title}</b>
              <span>{aim}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
