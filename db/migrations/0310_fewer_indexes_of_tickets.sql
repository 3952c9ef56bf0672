-- Each message that arrives writes into every index of its ticket. Two say nothing that another one does not: a live
-- conversation is unique by its line (tickets_one_line), which equal keys share, and found by tickets_conversation; what of a
-- contact is live stands in tickets_contact, among the few that it has.
drop index tickets_one_open, tickets_live_of_contact;
