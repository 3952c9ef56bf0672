import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'

/** Tabs of a form in sections, below the header of its drawer. */
export function SectionTabs<K extends string>(props: {
  sections: readonly { key: K; name: ReactNode }[]
  open: K
  onOpen: (key: K) => void
}) {
  const { sections, open, onOpen } = props
  return (
    <Tabs value={open} onChange={(key) => key && onOpen(key as K)}>
      <Tabs.List>
        {sections.map(({ key, name }) => (
          <Tabs.Tab key={key} value={key}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

type Section<K> = { key: K; fields: readonly string[] }

/** Returns the section of the first of some fields. */
export function sectionOf<K>(sections: readonly [Section<K>, ...Section<K>[]], fields: readonly string[]): K {
  return (sections.find((one) => one.fields.some((field) => fields.includes(field))) ?? sections[0]).key
}
