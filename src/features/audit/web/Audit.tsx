import { Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { choicesOf } from '#web/resource/read-all.ts'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { AuditIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { PeriodFilter } from '#web/ui/inputs/PeriodFilter.tsx'
import { FilterChip } from '#web/ui/layout/page.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { type SetUrl, type Url, useUrlState } from '#web/url-state.ts'
import { audit } from '../addresses.ts'
import type { AuditRow } from '../contract.ts'
import css from './audit.module.css'
import { auditFile } from './export.ts'
import { profileText, targetText, whoText } from './labels.ts'
import { Outcome, RecordDrawer } from './record-drawer.tsx'

const columns: readonly Column<AuditRow>[] = [
  { key: 'action', title: t('Ação'), cell: (row) => row.summary },
  {
    key: 'who',
    title: t('Quem'),
    cell: (row) => (
      <span className={css.who}>
        <span>{whoText(row)}</span>
        {row.isSupport ? <Pill tone="warn">{t('Suporte')}</Pill> : <small>{profileText(row.profile)}</small>}
      </span>
    ),
  },
  { key: 'target', title: t('Em quê'), cell: (row) => targetText(row.target) },
  {
    key: 'when',
    title: t('Quando'),
    width: 150,
    cell: (row) => <span className={css.fixed}>{formatDateTime(row.at)}</span>,
  },
  { key: 'from', title: t('Endereço'), width: 130, cell: (row) => <span className={css.fixed}>{row.ip}</span> },
  { key: 'result', title: t('Resultado'), width: 110, cell: (row) => <Outcome record={row} /> },
]

const filterNames = ['quem', 'acao', 'de', 'ate', 'recusados']
const noFilter = Object.fromEntries(['busca', ...filterNames].map((name) => [name, undefined]))

/** Page of the company's audit log, and for the superadmin of the installation's. */
export function Audit() {
  const [url, setUrl] = useUrlState()
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const { seesPlatform, ofPlatform, filter, list, options, verify } = useAudit(url)
  return (
    <ListScreen
      title={t('Auditoria')}
      nouns={[t('registro'), t('registros')]}
      list={list}
      search={t('Nome, ação, valor ou endereço')}
      filters={<AuditFilters options={options} filter={filter} setUrl={setUrl} url={url} />}
      filterNames={filterNames}
      view={seesPlatform && <TrailSwitch ofPlatform={ofPlatform} verify={verify} setUrl={setUrl} />}
      empty={{
        title: t('Nenhum registro'),
        text: t('Quem entra, quem sai e o que se muda na administração aparece aqui.'),
      }}
      file={auditFile}
      actions={
        <Button
          variant="default"
          leftSection={<AuditIcon size={17} />}
          loading={verify.isPending}
          onClick={() => verify.mutate()}
        >
          {t('Conferir registros')}
        </Button>
      }
      note={
        verify.data && (
          <div className={css.verified}>
            <Verified {...verify.data} />
          </div>
        )
      }
      table={{ columns, rowKey: (row) => row.seq, onOpen: setOpened }}
    >
      {opened && <RecordDrawer record={opened} onClose={() => setOpened(null)} />}
    </ListScreen>
  )
}

function TrailSwitch({
  ofPlatform,
  verify,
  setUrl,
}: {
  ofPlatform: boolean
  verify: { reset: () => void }
  setUrl: SetUrl
}) {
  return (
    <SegmentedControl
      aria-label={t('Trilha')}
      value={ofPlatform ? 'instalacao' : 'empresa'}
      onChange={(trilha) => {
        verify.reset()
        setUrl({ ...noFilter, trilha: trilha === 'instalacao' ? trilha : undefined })
      }}
      data={[
        { value: 'empresa', label: t('Empresa') },
        { value: 'instalacao', label: t('Instalação') },
      ]}
    />
  )
}

function AuditFilters({
  options,
  filter,
  setUrl,
  url,
}: {
  options: {
    users: { id: number; name: string }[]
    actions: { action: string; summary: string }[]
    nextCursor: string | null
  }[]
  filter: {
    user: number | undefined
    action: string | undefined
    from: string | undefined
    to: string | undefined
    result: 'refused' | undefined
  }
  setUrl: SetUrl
  url: Url
}) {
  return (
    <>
      <ChoiceFilter
        label={t('Quem')}
        options={options
          .flatMap((page) => page.users)
          .map(({ id, name }) => ({ id, name: name || t('Usuário {id}', { id }) }))}
        chosen={filter.user ? [filter.user] : []}
        onChange={(ids) => setUrl({ quem: ids.at(-1) })}
      />
      <ChoiceFilter
        label={t('Ação')}
        options={options.flatMap((page) => page.actions).map(({ action, summary }) => ({ id: action, name: summary }))}
        chosen={filter.action ? [filter.action] : []}
        onChange={(ids) => setUrl({ acao: ids.at(-1) })}
      />
      <PeriodFilter from={filter.from} to={filter.to} onChange={setUrl} />
      <FilterChip
        label={t('Só recusados')}
        active={filter.result === 'refused'}
        onClick={() => setUrl({ recusados: url.recusados ? undefined : 'sim' })}
      />
    </>
  )
}

/** The trail that the address asks for: its records, its filters, and its verification. */
function useAudit(url: Url) {
  const seesPlatform = useMay()('platform:read')
  const ofPlatform = seesPlatform && url.trilha === 'instalacao'
  const ops = ofPlatform
    ? { list: audit.platformList, options: audit.platformOptions, verify: audit.platformVerify }
    : { list: audit.list, options: audit.options, verify: audit.verify }
  const filter = useMemo(
    () => ({
      searchParam: url.busca,
      user: url.quem ? Number(url.quem) : undefined,
      action: url.acao,
      from: url.de,
      to: url.ate,
      result: url.recusados ? ('refused' as const) : undefined,
    }),
    [url.busca, url.quem, url.acao, url.de, url.ate, url.recusados],
  )
  const list = useList(ops.list, (page) => page.records, filter)
  const options = useQuery(choicesOf(ops.options, (page) => [page])).data ?? []
  const verify = useMutation({
    mutationFn: () => call(ops.verify, {}, { long: true, quiet: true }),
    onError: (error) => notify({ tone: 'neg', title: sentence(error) }),
  })
  return { seesPlatform, ofPlatform, filter, list, options, verify }
}

function Verified({ records, faults }: { records: number; faults: readonly string[] }) {
  if (faults.length === 0) {
    const all =
      records === 1
        ? t('O único registro está inteiro')
        : t('Os {records} registros estão inteiros', { records: formatNumber(records) })
    return <Notice tone="info">{t('{all}: nenhum falta, nenhum foi alterado.', { all })}</Notice>
  }
  return <Notice tone="neg">{t('Há algo errado nesta trilha: {value}.', { value: faults.join('; ') })}</Notice>
}
