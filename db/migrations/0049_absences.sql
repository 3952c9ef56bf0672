-- `sent_counts` counts every kind of automatic text since 0027; no version that may still run beside this one reads the column.
alter table tickets drop column absences;
