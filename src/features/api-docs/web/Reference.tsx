import { PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { request, sentence } from '#web/api.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Page, PageHeader, SearchField } from '#web/ui/layout/page.tsx'
import { type SetUrl, useUrlState } from '#web/url-state.ts'
import { groupsOf, type Operation, operationsOf, type Subjects } from './document.ts'
import { OperationCard } from './OperationCard.tsx'
import css from './reference.module.css'

const readDocument = () => request<Parameters<typeof operationsOf>[0] & { tags: Subjects }>('GET', '/openapi.json')

/** Page of the API reference: search, read and try all operations, with this session or another token. */
export function Reference() {
  const [url, setUrl] = useUrlState()
  const [token, setToken] = useState('')
  const document = useQuery({ queryKey: ['openapi'], queryFn: readDocument, staleTime: Number.POSITIVE_INFINITY })
  const all = document.data ? operationsOf(document.data) : []
  const search = url['busca'] ?? ''
  const found = groupsOf(all, document.data?.tags ?? [], search)
  const opened = url['operacao']
  const isThere = all.length > 0
  // A URL that names an operation opens it; operations opened by hand stay open.
  const named = useRef(opened)
  useEffect(() => {
    if (isThere && named.current) globalThis.document.getElementById(named.current)?.scrollIntoView({ block: 'start' })
  }, [isThere])
  return (
    <Page>
      <PageHeader
        title={t('API: referência')}
        facts={isThere && t('{count} operações em {address}', { count: all.length, address: `${location.origin}/api` })}
      />
      <FilterRow
        right={
          <PasswordInput
            className={css.token}
            aria-label={t('Outro token')}
            placeholder={t('Token: o da sua sessão')}
            autoComplete="off"
            value={token}
            onChange={(event) => setToken(event.currentTarget.value.trim())}
          />
        }
      >
        <SearchField
          value={search}
          placeholder={t('Buscar por endereço, ação ou assunto')}
          onChange={(busca) => setUrl({ busca })}
        />
      </FilterRow>
      {document.isPending && <SkeletonRows kind="card" rows={6} />}
      {document.isError && <LoadError text={sentence(document.error)} retry={() => void document.refetch()} />}
      {isThere && found.length === 0 && (
        <EmptyState title={t('Nada encontrado')} text={t('Nenhuma operação fala de “{search}”.', { search })} />
      )}
      {found.length > 0 && <OperationList found={found} token={token} opened={opened} setUrl={setUrl} />}
    </Page>
  )
}

function OperationList({
  found,
  token,
  opened,
  setUrl,
}: {
  found: { family: string; title: string; all: Operation[] }[]
  token: string
  opened: string | undefined
  setUrl: SetUrl
}) {
  return (
    <div className={css.columns}>
      <nav className={css.groups} aria-label={t('Assuntos')}>
        {found.map(({ family, title, all: inside }) => (
          <a key={family} href={`#${family}`}>
            <span className="g-cut">{title}</span>
            <span className={css.count}>{inside.length}</span>
          </a>
        ))}
      </nav>
      <div className={css.list}>
        {found.map(({ family, title, all: inside }) => (
          <section key={family} id={family} aria-labelledby={`${family}-title`}>
            <h2 id={`${family}-title`}>
              {title} <small>{plural(inside.length, t('operação'), t('operações'))}</small>
            </h2>
            <ul>
              {inside.map((one) => (
                <OperationCard
                  key={one.operationId}
                  operation={one}
                  token={token}
                  isOpen={opened === one.operationId}
                  onToggle={(isOpen) => setUrl({ operacao: isOpen ? one.operationId : undefined })}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}
