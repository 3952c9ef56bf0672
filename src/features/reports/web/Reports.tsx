import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Permission } from '#kit/permissions.ts'
import { query } from '#web/client.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import {
  BotIcon,
  CampaignIcon,
  ClockIcon,
  ContactsIcon,
  FunnelIcon,
  KanbanIcon,
  LocationIcon,
  SlaIcon,
  StarIcon,
  TagIcon,
  TicketsIcon,
  UsersIcon,
  WalletIcon,
} from '#web/ui/icons.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { reports } from '../addresses.ts'
import { ContactsReport } from './ContactsReport.tsx'
import { ChosenFilters } from './chosen.tsx'
import { Differences, ProveButton, proofText } from './proof.tsx'
import css from './reports.module.css'
import { SummaryReport } from './SummaryReport.tsx'
import { SavedReports } from './saved-reports.tsx'
import { TicketsReport } from './ticket-reports.tsx'
import { UsersReport } from './UsersReport.tsx'

type Known = {
  path: string
  Report: ComponentType
  title: string
  aim: string
  icon: ComponentType<{ size?: number | string }>
  /** Permission required besides that of reports. */
  can?: Permission
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
    path: 'presenca',
    Report: () => <SummaryReport report="presence" />,
    title: t('Presença'),
    aim: t('Quanto tempo cada pessoa esteve online, em pausa e offline, por pessoa ou por dia.'),
    icon: ClockIcon,
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
  {
    path: 'sla',
    Report: () => <SummaryReport report="sla" />,
    title: t('SLA'),
    aim: t('Prazos cumpridos e estourados, primeira resposta e TMA por fila, pessoa ou canal.'),
    icon: SlaIcon,
  },
  {
    path: 'avaliacoes',
    Report: () => <SummaryReport report="ratings" />,
    title: t('Avaliações'),
    aim: t('Quantos clientes responderam, e com que nota, por fila, pessoa ou canal.'),
    icon: StarIcon,
  },
  {
    path: 'bots',
    Report: () => <SummaryReport report="bots" />,
    title: t('Bots'),
    aim: t('O que cada chatbot começou, resolveu sozinho e passou a uma pessoa.'),
    icon: BotIcon,
  },
  {
    path: 'campanhas',
    Report: () => <SummaryReport report="campaigns" />,
    title: t('Campanhas'),
    aim: t('Enviadas, entregues, lidas e respondidas de cada campanha e disparo.'),
    icon: CampaignIcon,
    can: 'campaigns:write',
  },
  {
    path: 'funil',
    Report: () => <SummaryReport report="funnel" />,
    title: t('Funil'),
    aim: t('Oportunidades criadas, ganhas e perdidas, e o seu valor, por etapa ou pessoa.'),
    icon: FunnelIcon,
    can: 'funnel:read',
  },
]

/** One report by URL, or the index of all with their purpose. */
export function Reports() {
  const { report } = useParams({ strict: false })
  const { Report } = REPORTS.find(({ path }) => path === report) ?? {}
  if (!Report) return <Cards />
  return (
    <ChosenFilters key={report}>
      <Report />
    </ChosenFilters>
  )
}

function Cards() {
  const may = useMay()
  const { data: proof } = useQuery(query(reports.proof))
  return (
    <Page>
      <PageHeader title={t('Relatórios')} facts={proof && proofText(proof)} actions={<ProveButton />} />
      <Differences />
      <SavedReports />
      <ul className={css.reports}>
        {REPORTS.filter(({ can }) => !can || may(can)).map(({ path, title, aim, icon: Icon }) => (
          <li key={path}>
            <Link to={`/relatorios/${path}`} className={css.report}>
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
