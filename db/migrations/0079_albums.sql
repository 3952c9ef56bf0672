-- Pictures and films that belong together, as their sender gave them: the album's id, and (of ours) how many of each it has.
alter table messages add column album jsonb;
