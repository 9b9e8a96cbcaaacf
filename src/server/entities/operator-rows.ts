/** The operator as an author: no user has this id or this name, as they could pretend to be the operator. */
export const operatorId = 0;
export const operatorName = "operator";
