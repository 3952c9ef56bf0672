import { expect, test } from 'vitest'
import { flowWithTagMerged, withTagMerged } from './merged-tags.ts'

const merge = { from: 3, into: 5 }

test.each([
  [
    [
      { kind: 'tag', tagIds: [3, 5, 7] },
      { kind: 'queue', queueId: 3 },
    ],
    [
      { kind: 'tag', tagIds: [5, 7] },
      { kind: 'queue', queueId: 3 },
    ],
  ],
  [
    { tags: [3], queuesIds: [3] },
    { tags: [5], queuesIds: [3] },
  ],
  [
    { tag: ['3', '9'], field: ['3:a'] },
    { tag: ['5', '9'], field: ['3:a'] },
  ],
  [
    [
      { field: 'tagIds', values: [3] },
      { field: 'queueId', values: [3] },
    ],
    [
      { field: 'tagIds', values: [5] },
      { field: 'queueId', values: [3] },
    ],
  ],
])('%j becomes %j', (before, after) => {
  expect(withTagMerged(before, merge)).toEqual(after)
})

test('a flow gives and asks for the other tag, wherever its fields stand; what else has that number stays', () => {
  const flow = (tag: number) => ({
    nodeList: [
      {
        id: '3',
        interactions: [
          { type: 'TagField', data: { tag } },
          { type: 'TagField', tag: String(tag) },
          { type: 'KanbanField', data: { kanban: 3, tag: 3 } },
        ],
        conditions: [
          { on: 'tags', condition: [String(tag), '7'], queueId: 3 },
          { data: { on: 'tags', condition: [tag] } },
          { on: 'channel', condition: ['3'] },
        ],
      },
    ],
  })
  expect(flowWithTagMerged(flow(3), merge)).toEqual(flow(5))
})
