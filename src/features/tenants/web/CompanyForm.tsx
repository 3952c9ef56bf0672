import { Select, TextInput } from '@mantine/core'
import { call } from '#web/client.ts'
import { formatDate } from '#web/format.ts'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pair, TextArea } from '#web/ui/inputs/fields.tsx'
import type { FormFields } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { SectionTabs, sectionOf } from '#web/ui/layout/section-tabs.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { companies } from '../addresses.ts'
import type { Company } from '../companies.ts'
import {
  type CompanyValues,
  changedBody,
  checker,
  emptyCompany,
  isWhole,
  newBody,
  type Section,
  sections,
  valuesOf,
} from './company-values.ts'
import { MenuSwitches } from './MenuSwitches.tsx'
import { Metrics } from './Metrics.tsx'
import { PlanFields } from './PlanFields.tsx'
import { timeZones } from './time-zones.ts'

const quiet = { quiet: true }

/** Drawer of a company: `id`, or 'novo'. */
export function CompanyForm(props: {
  id: string
  section: Section
  onSection: (section: Section) => void
  onClose: () => void
}) {
  const { id, section, onSection, onClose } = props
  const isNew = id === 'novo'
  const row = useRow(companies.get, id)
  const company = row.data?.find(isWhole)
  const { values, errors, changed, set, drawer, save } = useDrawerForm(emptyCompany, {
    stored: isNew ? null : company && valuesOf(company),
    reading: row,
    checker,
    unique: ['domains'],
    onWrong: (fields) => onSection(sectionOf(sections, fields)),
    onClose,
  })
  const send = async () => {
    if (isNew) {
      await call(companies.create, { body: newBody(values) }, quiet)
      return t('Empresa criada. Cadastre agora quem a administra.')
    }
    await call(companies.update, { params: { id: Number(id) }, body: changedBody(values, changed) }, quiet)
    return t('Empresa salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova empresa') : (company?.name ?? t('Empresa'))}
      sub={company && summaryOf(company)}
      avatar={company && <Avatar id={company.id} name={company.name} size={44} square />}
      tabs={
        <SectionTabs
          sections={sections.filter(({ key }) => !isNew || key !== 'metricas')}
          open={section}
          onOpen={onSection}
        />
      }
      size={540}
    >
      {section === 'dados' && <DataFields values={values} errors={errors} set={set} />}
      {section === 'plano' && <PlanFields values={values} errors={errors} set={set} company={company} />}
      {section === 'menu' && (
        <MenuSwitches value={values.menuVisibility} onChange={(menu) => set('menuVisibility', menu)} />
      )}
      {section === 'metricas' && company && <Metrics tenantId={company.id} />}
    </FormDrawer>
  )
}

const summaryOf = ({ id, createdAt, ownerEmail }: Company): string =>
  [
    t('Empresa {id}', { id }),
    t('desde {day}', { day: formatDate(createdAt) }),
    ...(ownerEmail ? [ownerEmail] : []),
  ].join(' · ')

/** Name, status, time zone and domains of a company. */
function DataFields({ values, errors, set }: FormFields<CompanyValues>) {
  return (
    <>
      <TextInput
        label={t('Nome')}
        required
        data-autofocus
        value={values.name}
        error={errors['name']}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <Pair>
        <TextInput
          label={t('Identidade')}
          description={t('CPF, CNPJ ou uma referência sua.')}
          value={values.identity}
          error={errors['identity']}
          onChange={(event) => set('identity', event.currentTarget.value)}
        />
        <Select
          label={t('Status')}
          description={t('Inativa, todos saem na hora e ninguém entra.')}
          required
          allowDeselect={false}
          data={[
            { value: 'active', label: t('Ativa') },
            { value: 'inactive', label: t('Inativa') },
          ]}
          value={values.status}
          error={errors['status']}
          onChange={(status) => set('status', status === 'inactive' ? 'inactive' : 'active')}
        />
      </Pair>
      <Select
        label={t('Fuso horário')}
        required
        searchable
        allowDeselect={false}
        limit={80}
        nothingFoundMessage={t('Nenhum fuso com esse nome')}
        data={timeZones(values.timezone)}
        value={values.timezone}
        error={errors['timezone']}
        onChange={(zone) => zone && set('timezone', zone)}
      />
      <TextArea
        grow
        label={t('Domínios')}
        description={t('Um por linha. Por eles só entra quem é da empresa, com as cores dela.')}
        placeholder="atendimento.empresa.com.br"
        value={values.domains}
        error={errors['domains']}
        onChange={(event) => set('domains', event.currentTarget.value)}
      />
    </>
  )
}
