import { useQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { companyMail, installationMail } from '../addresses.ts'
import { MailForm } from './MailForm.tsx'

/** Page of the company's mail server. */
export function CompanyMail() {
  return (
    <MailScreen
      operations={companyMail}
      title={t('E-mail da empresa')}
      facts={t('Convites e avisos saem com o remetente da empresa')}
    />
  )
}

/** Page of the installation's mail server. */
export function InstallationMail() {
  return (
    <MailScreen
      operations={installationMail}
      title={t('E-mail da instalação')}
      facts={t('Novas senhas, e os e-mails das empresas que não têm servidor próprio')}
    />
  )
}

function MailScreen(props: { operations: typeof companyMail | typeof installationMail; title: string; facts: string }) {
  const { title, facts } = props
  const operations = props.operations as typeof companyMail
  const { data, error, refetch } = useQuery(query(operations.read))
  if (error) return <LoadError text={sentence(error)} retry={refetch} />
  return (
    <Page>
      <PageHeader title={title} facts={facts} actions={data && <State isOn={data.smtp === 'enabled'} {...data} />} />
      {data ? <MailForm operations={operations} settings={data} /> : <SkeletonRows kind="card" rows={3} />}
    </Page>
  )
}

function State({ isOn, hasFallback }: { isOn: boolean; hasFallback: boolean }) {
  if (isOn) return <Pill tone="pos">{t('Ligado')}</Pill>
  if (hasFallback) return <Pill tone="info">{t('Pelo servidor da instalação')}</Pill>
  return <Pill tone="warn">{t('Nenhum e-mail sai')}</Pill>
}
