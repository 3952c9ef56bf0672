import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource } from '#kit/resource.ts'
import { query } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { ResourceScreen, type Row } from '#web/resource/ResourceScreen.tsx'
import { may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { MergeIcon } from '#web/ui/icons.ts'
import { tagUses } from '../uses-addresses.ts'
import { MergeTag } from './MergeTag.tsx'

/** Creates the page of tags with their use counts; merges two tags. */
export const tagScreen = (resource: Resource) => () => <Tags resource={resource} />

function Tags({ resource }: { resource: Resource }) {
  const { data } = useQuery({ ...query(tagUses.list), enabled: () => may('tags:write') })
  const [merging, setMerging] = useState<Row | null>(null)
  const usesOf = new Map(data?.uses.map((one) => [one.id, one]))
  const count = (row: Row, of: 'contacts' | 'tickets') => data && formatNumber(usesOf.get(row.id)?.[of] ?? 0)
  return (
    <>
      <ResourceScreen
        resource={resource}
        more={[
          { key: 'contacts', title: t('Contatos'), numeric: true, cell: (row) => count(row, 'contacts') },
          { key: 'tickets', title: t('Atendimentos'), numeric: true, cell: (row) => count(row, 'tickets') },
        ]}
        commands={(row) => [{ id: 'merge', label: t('Juntar em outra…'), icon: MergeIcon, run: () => setMerging(row) }]}
      />
      {merging && (
        <MergeTag
          id={merging.id}
          name={String(merging['tag'])}
          uses={usesOf.get(merging.id)}
          onClose={() => setMerging(null)}
        />
      )}
    </>
  )
}
